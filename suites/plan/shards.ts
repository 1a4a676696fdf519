import { readsIn } from '../checks/registry.ts';
import type { Case } from '../types/case.ts';
import { type Plan, type PlannedRequest, takenOver } from '../types/plan.ts';
import type { Shard } from '../types/profile.ts';
import { neededBy, withDependencies } from './dependencies.ts';

type Requests = ReadonlyMap<string, PlannedRequest>;

/** Cases that stay together. */
type Unit = ReturnType<typeof unitsOf>[number];

/** How much more a request weighs that another shard sends anyway: sooner an uneven split than to pay twice. */
const paidTwice = 8;

const weigh = (requests: readonly PlannedRequest[]): number =>
  requests.reduce((sum, request) => sum + (1 + 10 * request.billed), 0);

/** Ids of the requests whose replies a request takes something over from. */
export const takesFrom = (request: PlannedRequest) => takenOver(request).map(({ exchange }) => exchange);

/** What every shard sends: which callers, tokens and models are known decides how all others are sent and read. */
const discoveryOf = (requests: Requests): ReadonlySet<PlannedRequest> =>
  new Set([...requests.values()].filter(({ stage }) => stage === 'discovery' || stage === 'declared'));

/** What the requests of a case need to be sent as in the whole run: a combination is taken apart by what else is there. */
const neededFor = (entry: Case, plan: Plan, requests: Requests): readonly PlannedRequest[] =>
  entry.check.kind === 'combination'
    ? withDependencies(readsIn(entry.check, plan), requests)
    : neededBy([entry], requests);

/** Cases by what keeps them together: a request takes an id over from a reply that its own shard has. */
function groupsOf(needs: ReadonlyMap<Case, readonly PlannedRequest[]>): readonly (readonly Case[])[] {
  const groupOf = new Map<string, Set<Case>>();
  const groups = new Set<Set<Case>>();
  for (const [entry, requests] of needs) {
    const ids = new Set(requests.flatMap(takesFrom));
    const joined = new Set([...ids].flatMap((id) => groupOf.get(id) ?? []));
    const group = new Set([...[...joined].flatMap((each) => [...each]), entry]);
    for (const each of joined) groups.delete(each);
    groups.add(group);
    for (const [id, each] of groupOf) if (joined.has(each)) groupOf.set(id, group);
    for (const id of ids) groupOf.set(id, group);
  }
  return [...groups].map((group) => [...group]);
}

/** The heaviest first; in the order of the plan where they weigh the same. */
function unitsOf(plan: Plan, requests: Requests, discovery: ReadonlySet<PlannedRequest>) {
  const needs = new Map(plan.cases.map((entry) => [entry, neededFor(entry, plan, requests)]));
  return groupsOf(needs)
    .map((cases) => {
      const needed = new Set(cases.flatMap((entry) => needs.get(entry) ?? []));
      const own = [...needed].filter((request) => !discovery.has(request));
      return { cases, requests: own, weight: weigh(own) };
    })
    .sort((one, other) => other.weight - one.weight);
}

/** Each unit goes where it adds the least, what is paid twice weighing more; without requests, to most of what it reads. */
function distributed(plan: Plan, units: readonly Unit[], count: number): readonly (readonly Unit[])[] {
  const shards = Array.from({ length: count }, () => ({
    units: [] as Unit[],
    sent: new Set<PlannedRequest>(),
    load: 0,
  }));
  const sentByAny = new Set<PlannedRequest>();
  for (const unit of units) {
    const read = new Set(unit.weight > 0 ? [] : unit.cases.flatMap(({ check }) => readsIn(check, plan)));
    const costs = shards.map(({ sent, load }) => {
      if (read.size > 0) return -[...sent].filter(({ id }) => read.has(id)).length;
      const added = unit.requests.filter((request) => !sent.has(request));
      const twice = added.filter((request) => sentByAny.has(request));
      return load + weigh(added) + paidTwice * weigh(twice);
    });
    const chosen = shards[costs.indexOf(Math.min(...costs))];
    if (chosen === undefined) continue;
    chosen.units.push(unit);
    chosen.load += weigh(unit.requests.filter((request) => !chosen.sent.has(request)));
    for (const request of unit.requests) {
      chosen.sent.add(request);
      sentByAny.add(request);
    }
  }
  return shards.map((shard) => shard.units);
}

/** The part of a plan with these cases alone: what they need, and discovery. Pure. */
export function partOf(plan: Plan, own: ReadonlySet<Case>): Plan {
  const requests = new Map(plan.requests.map((request) => [request.id, request]));
  const cases = plan.cases.filter((entry) => own.has(entry));
  const needed = cases.flatMap((entry) => neededFor(entry, plan, requests));
  const sent = new Set([...discoveryOf(requests), ...needed]);
  return {
    ...plan,
    cases,
    requests: cases.length === 0 ? [] : plan.requests.filter((request) => sent.has(request)),
  };
}

/** The shard's part of a plan: each case with its requests is of one shard, discovery of all. Pure. */
export function shardOf(plan: Plan, shard: Shard): Plan {
  const requests = new Map(plan.requests.map((request) => [request.id, request]));
  const units = distributed(plan, unitsOf(plan, requests, discoveryOf(requests)), shard.count);
  const part = partOf(plan, new Set(units[shard.index - 1]?.flatMap(({ cases }) => cases)));
  const asked = new Set(part.cases.flatMap((entry) => entry.requirements));
  const askedByAny = new Set(plan.cases.flatMap((entry) => entry.requirements));
  return { ...part, shard, elsewhere: [...askedByAny].filter((id) => !asked.has(id)) };
}
