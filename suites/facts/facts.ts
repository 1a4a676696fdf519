import type { EvidenceView } from '../checks/evidence-view.ts';
import { type AddressFact, addressFact } from './address.ts';
import { type ExchangedTokens, exchangedTokens } from './exchanged-tokens.ts';
import { type SameToken, sameTokens } from './same-token.ts';
import { type ModelFact, modelFacts } from './models.ts';
import { type Declaration, repliedIn, sentIn } from './replies.ts';
import { type Silence, silenceIn } from './silence.ts';
import { type TokenFact, tokenFacts } from './tokens.ts';

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
