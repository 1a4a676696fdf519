import type { Price, Prices } from '../../fixtures/target/prices.ts';
import type { Family, Protocol } from '../../spec/vocabulary.ts';
import { valueAt } from '../reading/json.ts';
import type { ReplyReading } from '../reading/reply-reading.ts';
import { replyText } from '../reading/text.ts';

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

/** What a reply is billed by, and whether it says so itself. */
export interface ReplyUsage {
  readonly usage: Usage;
  /** Its number of tokens is counted by us, for it reports none. */
  readonly isEstimated: boolean;
}

type Answer = Extract<ReplyReading, { kind: 'result' | 'stream' }>;

/** Where replies and events report what they are billed by; only that of a chat completion is stated (2.5). */
const places = ['/usage', '/response/usage', '/message/usage'] as const;
const names = { input: ['prompt_tokens', 'input_tokens'], output: ['completion_tokens', 'output_tokens'] };

const isAmount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0;

/** The largest number that is reported under one of these names: the events of a stream count up. */
function reported(documents: readonly unknown[], tokens: readonly string[]): number | undefined {
  const found = documents.flatMap((document) =>
    places.flatMap((place) => tokens.map((name) => valueAt(document, `${place}/${name}`)).filter(isAmount)),
  );
  return found.length === 0 ? undefined : Math.max(...found);
}

function tokensOf(reading: Answer, protocol: Protocol, asked: Usage): ReplyUsage {
  const documents =
    reading.kind === 'result' ? [reading.json] : reading.stream.events.map(({ data }) => data);
  const [input, output] = [reported(documents, names.input), reported(documents, names.output)];
  return {
    usage: {
      ...asked,
      input: input ?? asked.input,
      output: output ?? countTokens(replyText(reading, protocol)),
    },
    isEstimated: input === undefined || output === undefined,
  };
}

/** What an answer is billed by: as it reports itself, else as its text and the prompt of `asked` are counted. */
export function usageOf(reading: Answer, protocol: Protocol, asked: Usage): ReplyUsage {
  if (asked.images + asked.hdImages === 0) return tokensOf(reading, protocol, asked);
  // Images are counted, and what their reply reports besides is not looked at.
  const data = reading.kind === 'result' ? valueAt(reading.json, '/data') : undefined;
  const shown = protocol === 'images' && Array.isArray(data) ? data.length : undefined;
  const isHd = asked.hdImages > 0;
  const images = shown ?? (isHd ? asked.hdImages : asked.images);
  return { usage: { ...asked, ...(isHd ? { hdImages: images } : { images }) }, isEstimated: false };
}
