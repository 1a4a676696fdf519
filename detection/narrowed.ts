import type { Plan, PlannedRequest } from '../suites/types/plan.ts';
import type { Selection } from '../suites/types/run.ts';
import { dependencies, neededBy } from '../suites/plan/dependencies.ts';

/**
 * What suites and requirements leave of a whole plan: its cases, and the requests that they need, each at the stage
 * that it has in the whole. What has no case in the profile stays named for all suites. To plan anew for each fault takes
 * longer than to run it.
 */
export function narrowed(whole: Plan, { suites, requirements }: Selection): Plan {
  const isSelected = <T>(axis: readonly T[], values: readonly T[]): boolean =>
    axis.length === 0 || values.some((value) => axis.includes(value));
  const cases = whole.cases.filter(
    (entry) => isSelected(suites, [entry.suite]) && isSelected(requirements, entry.requirements),
  );
  const needed = new Set(neededBy(cases, new Map(whole.requests.map((request) => [request.id, request]))));
  const sent = new Set([...needed].map(({ id }) => id));
  const isAsked = (request: PlannedRequest): boolean =>
    needed.has(request) ||
    (request.stage === 'declared' && dependencies(request).every((id) => sent.has(id)));
  return { ...whole, cases, requests: cases.length > 0 ? whole.requests.filter(isAsked) : [] };
}
