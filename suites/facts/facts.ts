import { allGroups } from '../../spec/extension.ts';
import type { Group } from '../../spec/vocabulary.ts';
import type { EvidenceView } from '../checks/evidence-view.ts';
import { type AddressFact, addressFact } from './address.ts';
import { type ExchangedTokens, exchangedTokens, isOfGroupAlone } from './exchanged-tokens.ts';
import { type ModelFact, modelFacts } from './models.ts';
import { type Declaration, idsOf, repliedIn, type Seen, sentIn } from './replies.ts';
import { type Silence, silenceIn } from './silence.ts';
import { type TokenFact, tokenFacts } from './tokens.ts';

/** One token is declared for several groups, and all that one of these alone must be served is refused with it. */
interface SameToken {
  readonly names: readonly Group[];
  readonly variable: string;
  /** The refusals. */
  readonly exchanges: readonly string[];
}

/** What the recorded exchanges show of what is declared (principle 17). */
export interface DeclarationFacts {
  /** What is wrong with the address; where anything is, the rest is not asked about. */
  readonly address?: AddressFact;
  readonly tokens: readonly TokenFact[];
  readonly exchanged: readonly ExchangedTokens[];
  readonly same: readonly SameToken[];
  readonly models: readonly ModelFact[];
  readonly silence?: Silence;
}

/** Reads the evidence once. Pure. */
export function declarationFacts(view: EvidenceView, target: Declaration): DeclarationFacts {
  const sent = sentIn(view);
  const address = addressFact(sent, view);
  const replied = address ? [] : repliedIn(sent);
  const tokens = tokenFacts(replied, view, target);
  const silence = silenceIn(view);
  return {
    ...(address ? { address } : {}),
    tokens,
    exchanged: exchangedTokens(replied, target, tokens),
    same: sameTokens(replied, target, tokens),
    models: modelFacts(replied, view, target, tokens),
    ...(silence ? { silence } : {}),
  };
}

/** A token belongs to one group (2.1): which of those that it is declared for, nobody can tell by a refusal. */
const sameTokens = (
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
