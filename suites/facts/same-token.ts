import { allGroups } from '../../spec/extension.ts';
import type { Group } from '../../spec/vocabulary.ts';
import { isOfGroupAlone } from './exchanged-tokens.ts';
import { type Declaration, idsOf, type Seen } from './replies.ts';
import type { TokenFact } from './tokens.ts';

/** One token is declared for several groups, and all that one of these alone must be served is refused with it. */
export interface SameToken {
  readonly names: readonly Group[];
  readonly variable: string;
  /** The refusals. */
  readonly exchanges: readonly string[];
}

/** A token belongs to one group (2.1): which of those that it is declared for, nobody can tell by a refusal. */
export const sameTokens = (
  replied: readonly Seen[],
  { tokens }: Declaration,
  facts: readonly TokenFact[],
): readonly SameToken[] =>
  facts.flatMap(({ variable, knowledge }) => {
    const names = allGroups().filter((group) => tokens[group]?.variable === variable);
    const refused = names.flatMap((group) => {
      const own = replied.filter((seen) => isOfGroupAlone(seen, group));
      return own.every(({ kind }) => kind === 'refused') ? own : [];
    });
    const isMistake = names.length > 1 && refused.length > 0 && knowledge !== 'unknown';
    return isMistake ? [{ names, variable, exchanges: idsOf(refused) }] : [];
  });
