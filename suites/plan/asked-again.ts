import { reads, readsIn } from '../checks/registry.ts';
import type { Case } from '../types/case.ts';
import { type Evidence, isExchange } from '../types/exchange.ts';
import type { Plan, PlannedRequest } from '../types/plan.ts';
import { partOf, takesFrom } from './shards.ts';

/** What an earlier run asked, and what it recorded. */
export interface AskedBefore {
  readonly plan: Plan;
  readonly evidence: Evidence;
}

/** Ids of the planned requests that a record rests on: an id that it takes over, a control that was sent meanwhile. */
function restsOn(request: PlannedRequest, evidence: Evidence): readonly string[] {
  const entry = evidence.get(request.id);
  const controls = isExchange(entry) ? entry.attempts.flatMap(({ control }) => control ?? []) : [];
  const repeated = controls.flatMap((id) => {
    const control = evidence.get(id);
    return isExchange(control) ? [control.repeats ?? control.id] : [];
  });
  return [...takesFrom(request), ...repeated];
}

/**
 * The cases to ask again so that these requirements are judged by new evidence alone: those that judge them, those that
 * send what these read besides, and those of which the record rests on a request that is sent again. Pure.
 */
export function casesToAskAgain(
  { plan, evidence }: AskedBefore,
  requirements: ReadonlySet<string>,
): readonly Case[] {
  const chosen = new Set(plan.cases.filter((entry) => entry.requirements.some((id) => requirements.has(id))));
  const read = new Set([...chosen].flatMap(({ check }) => readsIn(check, plan)));
  for (let before = -1; before !== chosen.size; ) {
    before = chosen.size;
    const sent = new Set(partOf(plan, chosen).requests.map(({ id }) => id));
    const missing = plan.requests.filter(
      (request) =>
        !sent.has(request.id) &&
        (read.has(request.id) || restsOn(request, evidence).some((id) => sent.has(id))),
    );
    const ids = new Set(missing.map(({ id }) => id));
    for (const entry of plan.cases) if (reads(entry.check).some((id) => ids.has(id))) chosen.add(entry);
  }
  return plan.cases.filter((entry) => chosen.has(entry));
}
