import type { Prices } from '../../fixtures/target/prices.ts';
import type { Plan, PlannedRequest } from '../types/plan.ts';
import {
  mostBilledAttempts,
  mostUsage,
  type Requests,
  thoughtAnswered,
  usageIfAnswered,
} from './planned-usage.ts';
import { priced, rounded } from './usage.ts';

/** What requests cost, in the currency of the prices. */
export interface PlannedCost {
  /** With a conformant target. */
  readonly expected: number;
  /**
   * With a target that answers whatever it is sent, refusals and conditional requests included, with replies of the
   * longest length, and breaks off all but the last of the attempts that it can bill.
   */
  readonly most: number;
}

export function costOf(
  plan: Pick<Plan, 'requests'>,
  prices: Prices,
  some: readonly PlannedRequest[] = plan.requests,
): PlannedCost {
  const byId = new Map(plan.requests.map((request) => [request.id, request]));
  const requests: Requests = (id) => byId.get(id);
  const answered = new Set(thoughtAnswered(plan.requests));
  const sum = (list: readonly PlannedRequest[], usage: typeof mostUsage): number =>
    list.reduce(
      (total, request) => total + priced(usage(request, requests), prices, request.callers[0]?.family),
      0,
    );
  return {
    expected: rounded(
      sum(
        some.filter((request) => answered.has(request)),
        usageIfAnswered,
      ),
    ),
    most: rounded(mostBilledAttempts * sum(some, mostUsage)),
  };
}
