import type { Target } from '../../fixtures/target/target.ts';
import type { Prices } from '../../fixtures/target/prices.ts';
import type { EvidenceView, State } from '../checks/evidence-view.ts';
import type { Exchange } from '../types/exchange.ts';
import type { Plan, PlannedRequest } from '../types/plan.ts';
import type { ReportCost } from '../types/report.ts';
import { parseJson, valueAt } from '../reading/json.ts';
import {
  mostBilledAttempts,
  mostUsage,
  type Requests,
  thoughtAnswered,
  usageIfAnswered,
} from './planned-usage.ts';
import { priced, type ReplyUsage, rounded, type Usage, usageOf } from './usage.ts';

/** The family that a request was sent to, by the model in its body; else the first that it may be sent to. */
export function familyOf({ callers }: PlannedRequest, body: string | null, models: Target['models']) {
  const parsed = parseJson(body ?? '');
  const model = parsed.ok ? valueAt(parsed.value, '/model') : undefined;
  const sent = callers.find(({ family }) => models[family] === model) ?? callers[0];
  return sent?.family;
}

/** What a reply is billed for. A stream that is broken off is billed as well, and nobody sees how much came of it. */
function usageBilled(state: State, request: PlannedRequest, asked: Usage): ReplyUsage | undefined {
  if (state.kind === 'answered') return usageOf(state.reading, request.protocol, asked);
  return request.breaksOff && state.exchange?.response ? { usage: asked, isEstimated: true } : undefined;
}

/** What a run cost: every answer is thought to be billed, and an attempt before it that was not answered is not. */
export function runCost(
  { models }: Pick<Target, 'models'>,
  prices: Prices,
  exchanges: readonly Exchange[],
  view: EvidenceView,
): ReportCost {
  let [actual, estimated] = [0, 0];
  for (const { id, repeats, part, request: sent } of exchanges) {
    const state = view.state(id);
    const request = view.request(part?.of ?? repeats ?? id);
    if (request === undefined) continue;
    const family = familyOf(request, sent.body, models);
    const asked = usageIfAnswered(request, view.request, family);
    const billed = usageBilled(state, request, asked);
    if (billed === undefined) continue;
    const { usage, isEstimated } = billed;
    actual += priced(usage, prices, family);
    if (isEstimated) estimated += 1;
  }
  const { currency } = prices;
  return { currency, expected: costOf(view.plan, prices).expected, actual: rounded(actual), estimated };
}

/** What requests cost, in the currency of the prices. */
export interface PlannedCost {
  /** With a conformant target. */
  readonly expected: number;
  /** With a target that answers all it is sent, as long as can be, and breaks off all but the last attempt that it can bill. */
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
  const expected = some.filter((request) => answered.has(request));
  return {
    expected: rounded(sum(expected, usageIfAnswered)),
    most: rounded(mostBilledAttempts * sum(some, mostUsage)),
  };
}
