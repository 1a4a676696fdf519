import type { Plan, PlannedRequest } from '../model/plan.ts';
import { type SuiteName, suiteNames } from '../model/report.ts';
import { neededBy } from './dependencies.ts';

export interface Count {
  readonly suite: SuiteName | 'total';
  readonly cases: number;
  /** Requests that are read by this suite and by none before it. */
  readonly requests: number;
  /** Further requests that are sent only where the replies before them make them necessary. */
  readonly conditional: number;
  /** Generations that a conformant target bills for them. */
  readonly billed: number;
}

/** What a plan would send, by suite and in all. A shared request counts where it is first needed. */
export function planCounts(plan: Plan): readonly Count[] {
  const requests = new Map(plan.requests.map((request) => [request.id, request]));
  const counted = new Set<string>();
  const counts = suiteNames.map((suite): Count => {
    const cases = plan.cases.filter((entry) => entry.suite === suite);
    const taken = neededBy(cases, requests).filter(({ id }) => !counted.has(id));
    for (const { id } of taken) counted.add(id);
    return { suite, cases: cases.length, ...countOf(taken) };
  });
  return [...counts, { suite: 'total', cases: plan.cases.length, ...countOf(plan.requests) }];
}

/**
 * Whether it is sent only where replies before it make it necessary. What must be refused is sent to a conformant
 * target whatever it waits for.
 */
export const isConditional = ({ expect, when }: PlannedRequest): boolean =>
  expect !== 'refusal' && when.some(({ kind }) => kind !== 'answered' && kind !== 'recorded');

const countOf = (requests: readonly PlannedRequest[]): Pick<Count, 'requests' | 'conditional' | 'billed'> => {
  const conditional = requests.filter(isConditional).length;
  const billed = requests.reduce((sum, request) => sum + request.billed, 0);
  return { requests: requests.length - conditional, conditional, billed };
};
