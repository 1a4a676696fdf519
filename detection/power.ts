import { withShare } from '../fixtures/faults/conditions.ts';
import { productNamed } from '../fixtures/faults/named.ts';
import { type Product, product } from '../fixtures/faults/product.ts';

/** A gateway that breaks a share of its replies, drawn at random. */
export interface Broken {
  readonly effect: string;
  readonly share: number;
  readonly gateway: Product;
}

/** One effect of each of the areas that are looked at in another way. */
const shown: readonly (readonly [effect: string, site: string])[] = [
  ['field-missing', 'chat.result.usage'],
  ['reply-failed', 'chat'],
  ['text-doubled', 'messages'],
  ['stream-cut', 'responses'],
  ['context-system-lost', 'chat.context.system'],
  ['param-above', 'chat.param.temperature.range'],
  ['token-invalid-taken', 'responses'],
];

/** One of so many replies is broken. */
export const oneOf: readonly number[] = [1, 2, 3, 5, 10];

/** For each effect and share so many gateways, which draw other requests. */
export const brokenGateways = (each: number, seed: number): readonly Broken[] =>
  shown.flatMap(([name, at]) => {
    const { effect, site } = productNamed(name, at, 'always');
    return oneOf.flatMap((k) =>
      Array.from({ length: k === 1 ? 1 : each }, (_, i) => ({
        effect: `${site.id} ${effect.words}`,
        share: k,
        gateway: product(effect, site, withShare(1 / k, seed + i)),
      })),
    );
  });
