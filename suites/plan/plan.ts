import { authenticationCases } from '../cases/authentication.ts';
import { contextCases } from '../cases/context.ts';
import { errorCases } from '../cases/errors.ts';
import { familyCases } from '../cases/families.ts';
import { observationCases } from '../cases/observations.ts';
import { parameterCases } from '../cases/parameters.ts';
import { resultCases } from '../cases/results.ts';
import { streamCases } from '../cases/streams.ts';
import { reads, timed } from '../checks/registry.ts';
import { arrivalReads } from '../checks/shared/long-streams.ts';
import type { Case } from '../model/case.ts';
import { type Plan, type PlannedRequest, stages } from '../model/plan.ts';
import { type SuiteName, suiteNames } from '../model/report.ts';
import type { Selection } from '../model/run.ts';
import { createCaseBuilder, type CaseBuilder } from '../cases/builder/case-builder.ts';
import type { Scope } from '../model/scope.ts';

/** Builds the cases of every area. A function that refers to requests of another stands behind it. */
const areas: readonly ((builder: CaseBuilder) => void)[] = [
  familyCases,
  parameterCases,
  authenticationCases,
  streamCases,
  contextCases,
  errorCases,
  observationCases,
  resultCases,
];

export const everything: Selection = { suites: [], requirements: [], families: [], groups: [] };

/**
 * The whole plan of a run: its cases, and every request that may be sent, each once.
 * Pure: the same scope, seed and selection give the same plan.
 */
export function planFor(scope: Scope, seed: number, selection: Selection): Plan {
  const narrowed: Scope = {
    ...scope,
    families: scope.families.filter((family) => open(selection.families, family)),
    groups: scope.groups.filter((group) => open(selection.groups, group)),
  };
  const builder = createCaseBuilder(narrowed, seed);
  for (const area of areas) area(builder);
  const cases = builder.cases.filter((entry) => wanted(entry, selection)).sort(bySuite);
  return { seed, cases, requests: needed(builder, cases) };
}

const open = <T>(axis: readonly T[], value: T): boolean => axis.length === 0 || axis.includes(value);

const wanted = (entry: Case, selection: Selection): boolean =>
  open(selection.suites, entry.suite) &&
  (selection.requirements.length === 0 ||
    entry.requirements.some((id) => selection.requirements.includes(id)));

const bySuite = (one: Case, other: Case): number =>
  suiteNames.indexOf(one.suite) - suiteNames.indexOf(other.suite);

/** The requests that the cases read, and all that those hang on. */
function needed(
  { requests }: Pick<CaseBuilder, 'requests'>,
  cases: readonly Case[],
): readonly PlannedRequest[] {
  const wantedIds = new Set<string>();
  const follow = (id: string): void => {
    const request = requests.get(id);
    if (wantedIds.has(id) || request === undefined) return;
    wantedIds.add(id);
    for (const before of dependencies(request)) follow(before);
  };
  for (const entry of cases) for (const id of reads(entry.check)) follow(id);
  const timedIds = new Set(cases.flatMap(({ check }) => timed(check)));
  return [...requests.values()]
    .filter((request) => wantedIds.has(request.id))
    .map((request): PlannedRequest => (timedIds.has(request.id) ? { ...request, stage: 'timed' } : request))
    .sort((one, other) => stages.indexOf(one.stage) - stages.indexOf(other.stage));
}

/** Ids of the exchanges that a request waits for, its stage apart. */
export function dependencies(request: PlannedRequest): readonly string[] {
  return request.when.flatMap((condition) => {
    switch (condition.kind) {
      case 'answered':
        return condition.any;
      case 'unanswered':
      case 'recorded':
        return condition.all;
      case 'not-recalled':
        return [condition.exchange, condition.control];
      case 'refused':
      case 'stalled':
        return [condition.exchange];
      case 'stream-in-doubt':
        return [...condition.exchanges, ...arrivalReads(condition.controls)];
      default:
        return condition satisfies never;
    }
  });
}

export interface Count {
  readonly suite: SuiteName | 'total';
  readonly cases: number;
  /** Requests that are read by this suite and by none before it. */
  readonly requests: number;
  /** Further requests that are sent only where an answer leaves something in doubt. */
  readonly inDoubt: number;
  /** Generations that a conformant target bills for them. */
  readonly billed: number;
}

/** What a plan would send, by suite and in all. A shared request counts where it is first needed. */
export function planCounts(plan: Plan): readonly Count[] {
  const requests = new Map(plan.requests.map((request) => [request.id, request]));
  const counted = new Set<string>();
  const counts = suiteNames.map((suite): Count => {
    const cases = plan.cases.filter((entry) => entry.suite === suite);
    const taken = needed({ requests }, cases).filter(({ id }) => !counted.has(id));
    for (const { id } of taken) counted.add(id);
    return { suite, cases: cases.length, ...countOf(taken) };
  });
  return [...counts, { suite: 'total', cases: plan.cases.length, ...countOf(plan.requests) }];
}

const countOf = (requests: readonly PlannedRequest[]): Pick<Count, 'requests' | 'inDoubt' | 'billed'> => {
  // What waits for a refusal that is due is no doubt: a conformant target gets it.
  const inDoubt = requests.filter(
    (request) =>
      request.expect !== 'refusal' &&
      request.when.some(({ kind }) => kind !== 'answered' && kind !== 'recorded'),
  ).length;
  const billed = requests.reduce((sum, request) => sum + request.billed, 0);
  return { requests: requests.length - inDoubt, inDoubt, billed };
};
