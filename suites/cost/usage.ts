import type { Price, Prices } from '../../fixtures/target/prices.ts';
import type { Family } from '../../spec/vocabulary.ts';

/** What generations are billed by. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly images: number;
  /** Images with `quality: hd` (4.4), which have a price of their own. */
  readonly hdImages: number;
}

const free: Price = { input: 0, output: 0, image: 0, hd: 0 };

/** What a usage costs as a family is charged for, in the currency of the prices. */
export function priced(usage: Usage, prices: Prices, family: Family | undefined): number {
  const price = (family && prices.families[family]) ?? free;
  return (
    (usage.input * price.input + usage.output * price.output) / 1_000_000 +
    usage.images * price.image +
    usage.hdImages * price.hd
  );
}

/** A word, a part of a long one, or one other character: a rough count, as tokenizers of models differ. */
const token = /[\p{L}\p{M}\p{N}_]{1,12}|\S/gu;

export const countTokens = (text: string): number => text.match(token)?.length ?? 0;

/** An amount of money without what adding up floating point leaves behind the eighth digit. */
export const rounded = (amount: number): number => Math.round(amount * 1e8) / 1e8;
