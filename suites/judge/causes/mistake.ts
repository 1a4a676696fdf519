import type { TokenName } from '../../../fixtures/target/target.ts';

/** Something of the declaration that the target knows nothing of: no failure of the target (principle 18). */
export type Mistake =
  | { readonly kind: 'base-address'; readonly exchanges: readonly string[] }
  | {
      readonly kind: 'token-not-accepted';
      readonly names: readonly TokenName[];
      readonly variable: string;
      /** What it gets, in words: another reply is for something else, such as an endpoint that is absent. */
      readonly replies: ReadonlySet<string>;
      readonly exchanges: readonly string[];
    }
  | {
      readonly kind: 'model-not-known';
      /** Keys of the config that name them. */
      readonly keys: readonly string[];
      /** One of a family, or all those behind the first that are not known. */
      readonly models: ReadonlySet<string>;
      readonly replies: ReadonlySet<string>;
      readonly exchanges: readonly string[];
    };

/** The keys of the config that a mistake is in. */
export function configKeysOf(mistake: Mistake): readonly string[] {
  if (mistake.kind === 'base-address') return ['target.baseUrl'];
  return mistake.kind === 'token-not-accepted' ? mistake.names.map((name) => `tokens.${name}`) : mistake.keys;
}
