import { groupBy } from '../../spec/group-by.ts';
import { credentialOf } from '../reading/request-facts.ts';
import { isConditional, type PlannedRequest, type Stage, stages } from '../types/plan.ts';
import { dependencies } from './dependencies.ts';
import {
  behindWhatTheyNeed,
  inLanes,
  isLogin,
  onlyWaitsForDiscovery,
  withLoginsBeforeTimed,
} from './lanes.ts';

type Requests = readonly PlannedRequest[];

const isAfter = (one: Stage, other: Stage): boolean => stages.indexOf(one) > stages.indexOf(other);

/** The requests with the stage that each has for what is timed, and for what it waits for. */
function staged(requests: Requests, timed: ReadonlySet<string>): Requests {
  const byId = new Map(requests.map((request) => [request.id, request]));
  const known = new Map<string, Stage>();
  function stageOf(request: PlannedRequest): Stage {
    const { id } = request;
    const before = dependencies(request).flatMap((each) => {
      const other = each === id ? undefined : byId.get(each);
      return other ? [known.get(each) ?? stageOf(other)] : [];
    });
    const isBehind = before.some((stage) => isAfter(stage, 'lanes') && isAfter(stage, request.stage));
    const later = before.includes('after') ? 'after' : 'further';
    const stage = timed.has(id) ? 'timed' : isBehind ? later : request.stage;
    known.set(id, stage);
    return stage;
  }
  return requests.map((request) => ({ ...request, stage: stageOf(request) }));
}

/** Before each request that is timed one of the same caller that must be refused, so that it stands right behind it. */
function behindRefused(requests: Requests, heights: ReadonlyMap<string, number>): Requests {
  const isReady = onlyWaitsForDiscovery(requests);
  const callerOf = ({ protocol, callers: [caller] }: PlannedRequest) => JSON.stringify([protocol, caller]);
  const isSpare = (request: PlannedRequest): boolean =>
    request.stage === 'lanes' &&
    request.expect === 'refusal' &&
    credentialOf(request.credential) === 'right' &&
    heights.get(request.id) === 0 &&
    isReady(request);
  const refused = groupBy(requests.filter(isSpare), callerOf);
  const taken = new Map<PlannedRequest, PlannedRequest>();
  for (const request of requests) {
    const isTimed = request.stage === 'timed' && !isLogin(request) && !isConditional(request);
    const before = isTimed ? refused.get(callerOf(request))?.pop() : undefined;
    if (before) taken.set(request, { ...before, stage: 'timed' });
  }
  const moved = new Set([...taken.values()].map(({ id }) => id));
  return requests
    .filter(({ id }) => !moved.has(id))
    .flatMap((request) => [...[taken.get(request) ?? []].flat(), request]);
}

/** The requests as they go out, each behind those that it waits for, `timed` ones alone at the end; `seed` mixes what is refused. Pure. */
export function inRunOrder(requests: Requests, timed: ReadonlySet<string>, seed: number): Requests {
  const heights = chainHeights(requests);
  const all = behindRefused(withLoginsBeforeTimed(staged(requests, timed)), heights);
  return stages.flatMap((stage) => {
    const own = all.filter((request) => request.stage === stage);
    return stage === 'lanes' ? inLanes(all, heights, seed) : behindWhatTheyNeed(own);
  });
}

/** How many requests wait for each other behind one, in the longest chain; what is sent only if needed counts for nothing. */
export function chainHeights(requests: readonly PlannedRequest[]): ReadonlyMap<string, number> {
  const followers = new Map<string, PlannedRequest[]>();
  for (const request of requests) {
    for (const id of new Set(dependencies(request)))
      followers.set(id, [...(followers.get(id) ?? []), request]);
  }
  const heights = new Map<string, number>();
  function heightOf(id: string): number {
    const known = heights.get(id);
    if (known !== undefined) return known;
    const behind = (followers.get(id) ?? []).map(
      (follower) => heightOf(follower.id) + (isConditional(follower) ? 0 : 1),
    );
    const height = Math.max(0, ...behind);
    heights.set(id, height);
    return height;
  }
  return new Map(requests.map(({ id }) => [id, heightOf(id)]));
}
