import type { Target, TokenName } from '../../fixtures/target/target.ts';
import type { EvidenceView } from '../checks/evidence-view.ts';
import { configKeysOf, isShownEarly, mistakesIn } from '../facts/mistakes.ts';
import type { StopReason } from '../types/reasons/exchange-reasons.ts';
import { otherSchemeAt } from '../wire/other-scheme.ts';
import { preflightOf } from '../plan/declared-requests.ts';

/** Why nothing more may be sent, by what a run begins with; undefined where all that is declared may be right. */
export async function mistakeFound(view: EvidenceView, target: Target): Promise<StopReason | undefined> {
  const sent = [...preflightOf(view.plan.requests)].flatMap((id) => view.state(id).exchange ?? []);
  if (sent.length === 0) return undefined;
  const mistakes = mistakesIn(view, target).filter(isShownEarly);
  const isNoGateway = mistakes.some(({ kind }) => kind === 'base-address');
  if (isNoGateway || sent.every(({ response }) => response === null)) {
    const speaks = await otherSchemeAt(target.baseUrl);
    if (speaks !== undefined) return { kind: 'wrong-scheme', speaks };
  }
  const keys = [...new Set(mistakes.flatMap(configKeysOf))];
  return keys.length > 0 ? { kind: 'mistake-found', keys } : undefined;
}

/** The tokens that are declared wrong beyond doubt: nothing that they get shows anything, however often it is asked. */
export const mistakenTokens = (view: EvidenceView, target: Target): readonly TokenName[] =>
  mistakesIn(view, target)
    .filter(isShownEarly)
    .flatMap((mistake) => ('names' in mistake ? mistake.names : []));
