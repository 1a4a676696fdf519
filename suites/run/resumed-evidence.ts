import type { Target } from '../../fixtures/target/target.ts';
import type { EvidenceView } from '../checks/evidence-view.ts';
import { type Evidence, isExchange } from '../types/exchange.ts';
import type { Plan } from '../types/plan.ts';
import type { EarlierPart } from '../types/run.ts';
import { transientOf } from '../reading/transient.ts';
import type { PastExchange } from '../wire/retry/earlier-exchanges.ts';
import type { createBilling } from './billing.ts';
import { billingOf, optionsOf } from './executor.ts';
import { isLogin } from '../plan/lanes.ts';
import { waitsIn } from './order.ts';
import { NotPreparable, prepare } from './prepare.ts';

/**
 * What a run that goes on from this evidence takes over: every exchange. Why something was not sent is decided
 * again, for it may rest on what was under way. Of a target that never gave a reply that can be judged, nothing.
 */
export function settledIn(evidence: Evidence): Evidence {
  const exchanges = [...evidence.values()].filter(isExchange);
  if (exchanges.every((exchange) => transientOf(exchange) !== null)) return new Map();
  return new Map(exchanges.map((exchange) => [exchange.id, exchange]));
}

/** The exchanges of the earlier part of a run, in the form in which the wire learns from them. */
export const earlierExchanges = (
  target: Target,
  view: EvidenceView,
  { evidence }: EarlierPart,
  billing: ReturnType<typeof createBilling> | undefined,
): readonly PastExchange[] =>
  [...evidence.values()].filter(isExchange).flatMap((exchange) => {
    const request = view.requestOf(exchange);
    if (request === undefined) return [];
    try {
      const prepared = prepare(request, target, view);
      const own = { ...optionsOf(request), ...billingOf({ billing }, request, prepared) };
      return [{ exchange, prepared, own }];
    } catch (error) {
      if (error instanceof NotPreparable) return [];
      throw error;
    }
  });

/** How many requests with a wrong credential may have been under way, unrecorded, when the earlier part ended. */
export function wrongUnderWay(plan: Plan, { evidence }: EarlierPart): number {
  const waits = waitsIn(plan);
  const isRecorded = (id: string): boolean => evidence.has(id);
  return plan.requests
    .filter((request) => isLogin(request) && !isRecorded(request.id))
    .filter((request) => waits(request).always.flat().every(isRecorded)).length;
}
