import type { Target } from '../../fixtures/target/target.ts';
import type { EvidenceView } from '../checks/evidence-view.ts';
import { mostGenerations, mostUsage, usageIfAnswered } from '../cost/planned-usage.ts';
import { priced, type Usage, usageOf } from '../cost/usage.ts';
import { familyOf } from '../cost/run-cost.ts';
import type { PlannedRequest } from '../types/plan.ts';
import { readReply } from '../reading/reply.ts';
import { askedIn } from '../reading/request-facts.ts';
import type { Billing } from '../wire/limits/budget.ts';
import type { Prepared } from '../wire/send.ts';

const nothing = { generations: 0, cost: 0 };

/** Tells what an attempt may be billed for, and what it was: a budget is reserved before it is sent. */
export function createBilling(
  { models, prices }: Target,
  view: EvidenceView,
): (request: PlannedRequest, prepared: Prepared) => Billing {
  let hasReplied = false;
  return (request, { body }) => {
    const family = familyOf(request, body, models);
    const cost = (usage: Usage): number => (prices ? priced(usage, prices, family) : 0);
    const most = {
      generations: mostGenerations(request, family),
      cost: cost(mostUsage(request, view.request, family)),
    };
    return {
      most,
      of: (record) => {
        hasReplied ||= record.response !== null;
        // What broke off may have been billed all the same, but for a target that never replied to anything.
        if (!hasReplied && record.ending.kind === 'unreachable') return nothing;
        if (record.ending.kind !== 'complete') return most;
        const reading = readReply(record, request.protocol, askedIn(request));
        if (reading.kind !== 'result' && reading.kind !== 'stream') return nothing;
        const asked = usageIfAnswered(request, view.request, family);
        const { usage } = usageOf(reading, request.protocol, asked);
        return { generations: Math.max(1, usage.images + usage.hdImages), cost: cost(usage) };
      },
    };
  };
}
