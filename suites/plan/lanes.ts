import { randomOf, shuffled } from '../../fixtures/dice.ts';
import { groupBy } from '../../spec/group-by.ts';
import { credentialOf, isAnswerDue } from '../reading/request-facts.ts';
import { mostWrongInRow } from '../wire/retry/login-watch.ts';
import { isConditional, type PlannedRequest, type Stage } from '../types/plan.ts';
import { dependencies } from './dependencies.ts';

type Requests = readonly PlannedRequest[];

/** Whether a gateway must refuse it for the credential alone, whatever comes of other requests. */
export const isLogin = (request: PlannedRequest): boolean =>
  credentialOf(request.credential) === 'wrong' && !isConditional(request);

/** Whether an answer to it is due, whatever comes of other requests. */
const isValid = (request: PlannedRequest): boolean => isAnswerDue(request) && !isConditional(request);

/** Tells whether all that a request waits for is among those with which a run begins. */
export function onlyWaitsForDiscovery(requests: Requests): (request: PlannedRequest) => boolean {
  const discovery = new Set(requests.filter(({ stage }) => stage === 'discovery').map(({ id }) => id));
  return (request) => dependencies(request).every((id) => discovery.has(id));
}

/** The valid requests of a stage that wait for nothing but discovery. */
function readyIn(requests: Requests, stage: Stage): Requests {
  const isReady = onlyWaitsForDiscovery(requests);
  return requests.filter((request) => request.stage === stage && isValid(request) && isReady(request));
}

/**
 * Streams of an endpoint that go at once, one by the id of the other: what crosses between them shows in no other way (principle 13).
 * The same in whatever order the requests are.
 */
export function streamPairs(requests: Requests): ReadonlyMap<string, string> {
  const streams = readyIn(requests, 'lanes')
    .filter(({ stream }) => stream)
    .sort((one, other) => (one.id < other.id ? -1 : 1));
  const pairs = [...groupBy(streams, ({ protocol }) => protocol).values()].flatMap((own) =>
    own.flatMap(({ id }, place) => {
      const other = own[place - 1];
      return other && place % 2 === 1 ? [[id, other.id] as const] : [];
    }),
  );
  return new Map(pairs);
}

/** Those that may follow refused logins: what they wait for is over before the first login. A stream that goes with another is none. */
export function witnessesIn(requests: Requests, stage: 'lanes' | 'timed'): Requests {
  const pairs = streamPairs(requests);
  return readyIn(requests, stage).filter(({ id }) => !pairs.has(id));
}

const loginsIn = (requests: Requests, stage: Stage): Requests =>
  requests.filter((request) => request.stage === stage && isLogin(request));

/** Moves logins of the lanes before timed requests, which go one by one anyway, as many as may follow each other; the last at the end. */
export function withLoginsBeforeTimed(requests: Requests): Requests {
  const timed = witnessesIn(requests, 'timed');
  const needed = new Set(requests.flatMap(dependencies));
  const free = firstInvalidFirst(loginsIn(requests, 'lanes')).filter(({ id }) => !needed.has(id));
  const logins = free.slice(Math.max(0, free.length - mostWrongInRow * timed.length));
  const moved = new Set(logins);
  const before = groupBy(logins.entries(), ([at]) => timed[Math.floor(at / mostWrongInRow) + 1]);
  const behind = (next?: PlannedRequest): Requests =>
    (before.get(next) ?? []).map(([, login]) => ({ ...login, stage: 'timed' }));
  const others = requests.filter((request) => !moved.has(request));
  return [...others.flatMap((request) => [...behind(request), request]), ...behind()];
}

/** A request with its place in the order, from 0 to 1. */
interface Placed {
  readonly request: PlannedRequest;
  readonly at: number;
}

/** Each kind is spread over the whole, in the order given. */
function spread(requests: Requests, kindOf: (request: PlannedRequest) => string): readonly Placed[] {
  const kinds = [...groupBy(requests, kindOf).values()];
  const mixed = kinds
    .flatMap((some) => some.map((request, place) => ({ request, at: (place + 0.5) / some.length })))
    .sort((one, other) => one.at - other.at);
  return mixed.map(({ request }, place) => ({ request, at: (place + 0.5) / mixed.length }));
}

/** The same, but that what begins a chain stands no later than leaves room for it: the longest one begins first. */
function withRoomForChains(all: readonly Placed[], heights: ReadonlyMap<string, number>): readonly Placed[] {
  const longest = Math.max(0, ...heights.values());
  return all
    .map(({ request, at }) => ({
      request,
      at: Math.min(at, 1 - (heights.get(request.id) ?? 0) / (longest + 1)),
    }))
    .sort((one, other) => one.at - other.at);
}

/** The first invalid token of each endpoint goes first: how it is refused is seen before a gateway limits failed logins. */
function firstInvalidFirst(logins: Requests): Requests {
  const invalid = logins.filter(({ credential, when }) => credential.form === 'invalid' && when.length === 0);
  const first = [...groupBy(invalid, ({ path }) => path).values()].flatMap((those) => those.slice(0, 1));
  return [...new Set([...first, ...logins])];
}

/** As many logins as may follow each other go before some valid requests, spread over all; `earlier` are there by then. */
function placedLogins(logins: Requests, earlier: number, witnesses: readonly Placed[]): readonly Placed[] {
  const groups = Math.ceil((earlier + logins.length) / mostWrongInRow);
  return logins.map((request, place) => {
    const middle = (Math.floor((earlier + place) / mostWrongInRow) + 0.5) / groups;
    const witness = witnesses[Math.floor(middle * witnesses.length)];
    return { request, at: witness?.at ?? middle };
  });
}

/** The requests in this order, but that each stands behind those that it waits for. */
export function behindWhatTheyNeed(requests: Requests): Requests {
  const left = new Set(requests.map(({ id }) => id));
  const waiting = new Map<string, PlannedRequest[]>();
  const order: PlannedRequest[] = [];
  const place = (request: PlannedRequest): void => {
    const missing = dependencies(request).find((id) => id !== request.id && left.has(id));
    if (missing !== undefined) {
      waiting.set(missing, [...(waiting.get(missing) ?? []), request]);
      return;
    }
    order.push(request);
    left.delete(request.id);
    for (const next of waiting.get(request.id) ?? []) place(next);
  };
  for (const request of requests) place(request);
  return order;
}

/** Lanes beside each other, each kind from beginning to end: valid, refused logins, what else may be refused (principle 4). */
export function inLanes(all: Requests, heights: ReadonlyMap<string, number>, seed: number): Requests {
  const requests = all.filter(({ stage }) => stage === 'lanes');
  const logins = firstInvalidFirst(loginsIn(all, 'lanes'));
  const earlier = loginsIn(all, 'declared').length;
  const others = requests.filter((request) => !isLogin(request) && !isValid(request));
  const [valid, refused] = [
    spread(requests.filter(isValid), ({ protocol, stream }) => `${protocol} ${stream}`),
    spread(shuffled(others, randomOf(seed)), ({ protocol }) => protocol),
  ].map((lane) => withRoomForChains(lane, heights)) as [readonly Placed[], readonly Placed[]];
  const isWitness = new Set(witnessesIn(all, 'lanes'));
  const witnesses = valid.filter(({ request }) => isWitness.has(request));
  const order = [...placedLogins(logins, earlier, witnesses), ...valid, ...refused].sort(
    (one, other) => one.at - other.at,
  );
  return behindWhatTheyNeed(order.map(({ request }) => request));
}
