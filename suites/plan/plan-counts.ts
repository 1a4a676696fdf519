import { decisions } from '../../spec/decisions.ts';
import { groupBy } from '../../spec/group-by.ts';
import { families } from '../../spec/vocabulary.ts';
import { mayBringImages } from '../types/limits.ts';
import { isConditional, modelKeyOf, type Plan, type PlannedRequest } from '../types/plan.ts';
import { type SuiteName, suiteNames } from '../types/suite-names.ts';
import { neededBy } from './dependencies.ts';
import { neighbours } from '../types/text-situations.ts';
import { type Evidence, type Exchange, isExchange, type Unsent } from '../types/exchange.ts';

/** How many requests of a run are done, and how many there are. */
export interface Tally {
  readonly done: number;
  readonly total: number;
}

/** Counts requests as they are recorded, after `earlier`: what may not be sent counts when it is, a control sent again never. */
export function createTally({ requests }: Pick<Plan, 'requests'>, earlier: Evidence = new Map()) {
  const certain = new Set(requests.filter((request) => !isConditional(request)).map(({ id }) => id));
  const counted = new Set<string>();
  let [done, total] = [0, certain.size];
  const count = (entry: Exchange | Unsent): Tally => {
    // What was asked again is recorded twice.
    if (counted.has(entry.id)) return { done, total };
    const isExtra = !certain.has(entry.id) && isExchange(entry) && entry.repeats === undefined;
    if (isExtra) total += 1;
    if (isExtra || certain.has(entry.id)) {
      done += 1;
      counted.add(entry.id);
    }
    return { done, total };
  };
  for (const entry of earlier.values()) count(entry);
  return count;
}

/** A part of a plan. A shared request is of the suite that needs it first; what only tells of the declaration is of none. */
interface PlanShare {
  readonly suite: SuiteName | 'declaration' | 'total';
  readonly cases: number;
  readonly requests: readonly PlannedRequest[];
}

export function planShares(plan: Plan): readonly PlanShare[] {
  const requests = new Map(plan.requests.map((request) => [request.id, request]));
  const counted = new Set<string>();
  const shares = suiteNames.map((suite): PlanShare => {
    const cases = plan.cases.filter((entry) => entry.suite === suite);
    const taken = neededBy(cases, requests).filter(({ id }) => !counted.has(id));
    for (const { id } of taken) counted.add(id);
    return { suite, cases: cases.length, requests: taken };
  });
  const declared = plan.requests.filter(({ id, stage }) => stage === 'declared' && !counted.has(id));
  return [
    { suite: 'declaration', cases: 0, requests: declared },
    ...shares,
    { suite: 'total', cases: plan.cases.length, requests: plan.requests },
  ];
}

/** What a plan would send to the models of each family; a request that several families may serve counts for the first. */
export const familyCounts = ({ requests }: Pick<Plan, 'requests'>) =>
  families.flatMap((family) => {
    const own = requests.filter(({ callers: [caller] }) => caller?.family === family);
    if (own.length === 0) return [];
    const ofModels = groupBy(own, modelKeyOf);
    const first = ofModels.get(undefined) ?? [];
    const further = own.filter((request) => modelKeyOf(request) !== undefined);
    const models = ofModels.size - (first.length > 0 ? 1 : 0);
    return [{ family, first: countOf(first), further: { models, ...countOf(further) } }];
  });

export function countOf(requests: readonly PlannedRequest[]) {
  const conditional = requests.filter(isConditional).length;
  const billedOf = (some: readonly PlannedRequest[]) => some.reduce((sum, { billed }) => sum + billed, 0);
  return {
    requests: requests.length - conditional,
    /** Further requests that are sent only where the replies before them make them necessary. */
    conditional,
    /** Generations that a conformant target bills for them at most, each image counted. */
    billed: billedOf(requests),
    images: billedOf(requests.filter((request) => mayBringImages(request, request.callers))),
  };
}

/** Generations that smaller requests, behind the verdicts, are billed for at most. None in `smoke`. */
export const mostSmaller = ({ profile }: Pick<Plan, 'profile'>): number =>
  profile === 'smoke' ? 0 : decisions.smallerRequests;

/** Generations that second samples are billed for at most, where chance is not ruled out. None in `smoke`. */
export function mostSampled({ profile }: Pick<Plan, 'profile'>): number {
  const { secondSamples, textSamples, textSampleEndpoints } = decisions;
  // In the first round half as many with each neighbour, too.
  const atFirst = textSampleEndpoints * (1 + neighbours.length / 2);
  const again = textSamples.map(({ requests }, round) => (round === 0 ? atFirst : 1) * requests);
  const all = [...secondSamples.map(({ requests }) => requests), ...again];
  return profile === 'smoke' ? 0 : all.reduce((total, requests) => total + requests, 0);
}
