import type { Plan, PlannedRequest } from '../suites/model/plan.ts';
import { suiteNames } from '../suites/model/report.ts';
import { readsIn } from '../suites/plan/reads.ts';

/** How much of a plan something is. */
export interface Count {
  readonly cases: number;
  /** Planned requests; one that hangs on a condition may stay unsent. */
  readonly requests: number;
  /** Generations that a conforming gateway would bill for them. */
  readonly billed: number;
}

const countOf = (cases: number, requests: readonly PlannedRequest[]): Count => ({
  cases,
  requests: requests.length,
  billed: requests.reduce((sum, { billed }) => sum + billed, 0),
});

/** The plan by suite, with what each suite reads, and the whole, where a shared request counts once. */
export function countPlan(plan: Plan): {
  readonly suites: readonly (Count & { readonly suite: string })[];
  readonly total: Count;
} {
  const suites = suiteNames.flatMap((suite) => {
    const cases = plan.cases.filter((entry) => entry.suite === suite);
    const read = new Set(cases.flatMap(({ check }) => [...readsIn(check, plan)]));
    const requests = plan.requests.filter(({ id }) => read.has(id));
    return cases.length === 0 ? [] : [{ suite, ...countOf(cases.length, requests) }];
  });
  return { suites, total: countOf(plan.cases.length, plan.requests) };
}
