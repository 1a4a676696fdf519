import { once } from '../../spec/once.ts';
import { type Evidence, type Exchange, isExchange, type Unsent } from '../types/exchange.ts';
import { isConditional, type Plan, type PlannedRequest } from '../types/plan.ts';
import { dependencies } from '../plan/dependencies.ts';
import { waitsIn } from './order.ts';

/** A request of the plan that is not recorded yet, with all lists of ids that it waits for. */
interface Left {
  readonly request: PlannedRequest;
  readonly waits: readonly (readonly string[])[];
}

/** What is known of a run that goes on. Times are milliseconds. */
interface Known {
  /** In the order in which they go out. */
  readonly left: readonly Left[];
  readonly concurrency: number;
  /** By id of a request that is under way: for how long it has been. */
  readonly underWayMs: ReadonlyMap<string, number>;
  /** What a request is expected to take from when it goes out. */
  readonly expectedMs: (request: PlannedRequest) => number;
}

/** A list of ids of which some are not recorded. */
interface OpenList {
  /** How many. */
  left: number;
  readonly waiting: PlannedRequest[];
}

/** The lists that are waited for, by the ids that are not recorded; and on how many of them each request waits. */
function openLists({ left }: Known) {
  const ids = new Set(left.map(({ request }) => request.id));
  // Hundreds of requests wait for the same list.
  const open = new Map<readonly string[], OpenList>();
  const byId = new Map<string, OpenList[]>();
  for (const list of new Set(left.flatMap(({ waits }) => waits))) {
    const own = [...new Set(list)].filter((id) => ids.has(id));
    const entry = { left: own.length, waiting: [] };
    if (own.length > 0) open.set(list, entry);
    for (const id of own) byId.set(id, [...(byId.get(id) ?? []), entry]);
  }
  const waitsOn = new Map<PlannedRequest, number>();
  for (const { request, waits } of left) {
    const own = [...new Set(waits)].flatMap((list) => open.get(list) ?? []);
    for (const { waiting } of own) waiting.push(request);
    waitsOn.set(request, own.length);
  }
  return { byId, waitsOn };
}

/** Milliseconds until all that is left is done, sent in the order and as many at once as the executor does. Pure. */
export function msLeft(known: Known): number {
  const { left, concurrency, underWayMs, expectedMs } = known;
  const { byId, waitsOn } = openLists(known);
  const places = new Map(left.map(({ request }, place) => [request, place]));
  const placeOf = (request: PlannedRequest): number => places.get(request) ?? 0;
  const running: { readonly request: PlannedRequest; readonly endMs: number }[] = [];
  const ready: PlannedRequest[] = [];
  for (const { request } of left) {
    const ms = underWayMs.get(request.id);
    if (ms !== undefined) running.push({ request, endMs: Math.max(0, expectedMs(request) - ms) });
    else if (waitsOn.get(request) === 0) ready.push(request);
  }
  let [now, isSorted] = [0, false];
  for (;;) {
    // The first in the order stands last. Thousands may be ready, and few of them are new.
    if (!isSorted) ready.sort((one, other) => placeOf(other) - placeOf(one));
    isSorted = true;
    while (running.length < concurrency) {
      const request = ready.pop();
      if (request === undefined) break;
      running.push({ request, endMs: now + expectedMs(request) });
    }
    running.sort((one, other) => other.endMs - one.endMs);
    const done = running.pop();
    if (done === undefined) return now;
    now = done.endMs;
    for (const list of byId.get(done.request.id) ?? []) {
      list.left -= 1;
      if (list.left > 0) continue;
      for (const request of list.waiting) {
        const open = (waitsOn.get(request) ?? 0) - 1;
        waitsOn.set(request, open);
        if (open > 0 || underWayMs.has(request.id)) continue;
        ready.push(request);
        isSorted = false;
      }
    }
  }
}

/** The fewest requests from which the speed of a target is estimated. */
const fewestTimed = 5;

/** What a request is alike others in, the most alike first, as far as its time depends on it. */
const kindsOf = ({ expect, protocol, stage }: PlannedRequest): readonly string[] => {
  const isAnswer = expect === 'answer';
  return [`${isAnswer} ${protocol} ${stage === 'timed'}`, `${isAnswer} ${protocol}`, `${isAnswer}`, ''];
};

/** Follows a run, and tells how long it takes from now on. `earlier`: by a run that goes on; `now`: milliseconds that never go back. */
export function createTimeLeft(
  plan: Pick<Plan, 'requests'>,
  concurrency: number,
  earlier: Evidence = new Map(),
  now: () => number = () => performance.now(),
) {
  // Where nobody follows the run, nobody asks.
  const waits = once(() => waitsIn(plan));
  const isLeft = (request: PlannedRequest): boolean => !isConditional(request) && !earlier.has(request.id);
  const left = new Map(plan.requests.filter(isLeft).map((request) => [request.id, request]));
  let isSteady = false;
  const withWaits = (request: PlannedRequest): Left => {
    const { always, unlessSteady } = waits()(request);
    return { request, waits: [...always, ...(isSteady ? [] : unlessSteady), dependencies(request)] };
  };
  const begun = new Map<string, number>();
  /** How many requests of a kind were timed, and the milliseconds that they took together. */
  const timed = new Map<string, { readonly count: number; readonly ms: number }>();
  const expectedMs = (request: PlannedRequest): number => {
    const known = kindsOf(request).flatMap((kind) => timed.get(kind) ?? [])[0];
    return known === undefined ? 0 : known.ms / known.count;
  };
  return {
    /** A request goes out. */
    begin: (id: string): void => {
      begun.set(id, now());
    },
    /** A request is recorded. */
    note: (entry: Exchange | Unsent): void => {
      const { id } = entry;
      const [request, at] = [left.get(id), begun.get(id)];
      left.delete(id);
      begun.delete(id);
      if (request === undefined || at === undefined || !isExchange(entry)) return;
      for (const kind of kindsOf(request)) {
        const { count, ms } = timed.get(kind) ?? { count: 0, ms: 0 };
        timed.set(kind, { count: count + 1, ms: ms + now() - at });
      }
    },
    /** Milliseconds until what is planned in any case is done; undefined while too little is known. */
    ms: (): number | undefined => {
      if ((timed.get('')?.count ?? 0) < fewestTimed) return undefined;
      const underWayMs = new Map([...begun].map(([id, at]) => [id, now() - at]));
      return msLeft({ left: [...left.values()].map(withWaits), concurrency, underWayMs, expectedMs });
    },
    /** What is timed need not go alone. */
    steady: (): void => {
      isSteady = true;
    },
  };
}
