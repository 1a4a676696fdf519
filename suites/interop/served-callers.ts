import type { Target } from '../../fixtures/target/target.ts';
import { protocols } from '../../spec/vocabulary.ts';
import { declaredCallers } from '../cases/builder/callers.ts';
import { cellId, rateLimitedId } from '../types/request-ids.ts';
import { createEvidenceView, isAnswered } from '../checks/evidence-view.ts';
import { type Evidence, isExchange } from '../types/exchange.ts';
import type { Plan } from '../types/plan.ts';
import { scopeOf } from '../types/scope.ts';
import { isRateLimit } from '../reading/transient.ts';
import type { Shown } from './trials.ts';

/** Before a run, for what clients ask at most: any declared caller, and the spent token everywhere. */
export const nothingShown: Shown = { caller: () => undefined, limited: protocols };

/** What the evidence of a run shows of who is served, and where the spent token is limited. */
export function shownBy(target: Target, plan: Plan, evidence: Evidence): Shown {
  const view = createEvidenceView(plan, evidence);
  const isLimited = (id: string): boolean => {
    const entry = evidence.get(id);
    return isExchange(entry) && isRateLimit(entry);
  };
  return {
    caller: (protocol) =>
      declaredCallers(scopeOf(target), protocol).find((caller) => isAnswered(view, cellId(caller, protocol))),
    limited: protocols.filter((protocol) => isLimited(rateLimitedId(protocol, 1))),
  };
}
