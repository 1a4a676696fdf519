import { describe, expect, it, test } from 'vitest';
import { families, groups, textProtocols } from '../../spec/vocabulary.ts';
import { oncePerObject } from '../../spec/once.ts';
import { dependencies } from '../plan/dependencies.ts';
import { isLogin, streamPairs } from '../plan/lanes.ts';
import { planned } from '../plan/planned.fixture.ts';
import type { PlannedRequest } from '../types/plan.ts';
import { profiles } from '../types/profile.ts';
import { mostWrongInRow } from '../wire/retry/login-watch.ts';
import { placesBesideTimed, waitsIn } from './order.ts';

const plan = planned();
const waits = waitsIn(plan);
const pairs = streamPairs(plan.requests);
const allOf = (request: PlannedRequest): readonly string[] => {
  const { always, unlessSteady } = waits(request);
  return [...always, ...unlessSteady].flat();
};
const before = (id: string): readonly string[] => allOf(byId(id));

function byId(id: string): PlannedRequest {
  const request = plan.requests.find((candidate) => candidate.id === id);
  if (request === undefined) throw new Error(`no request ${id}`);
  return request;
}

test('a discovery waits for nothing', () => {
  expect(before('cell.multimodal.chat.default')).toEqual([]);
});

test('what must be refused waits for no valid request behind discovery but those that it is compared with', () => {
  const waited = before('chat.temperature.range.2.01').map((id) => byId(id).stage);
  expect(new Set(waited)).toEqual(new Set(['discovery']));
});

test('the control afterwards waits for all other requests', () => {
  const others = plan.requests.filter(({ stage }) => stage !== 'after').map(({ id }) => id);
  expect(before('messages.plain.after')).toEqual(others);
});

describe('a timed request', () => {
  const timed = plan.requests.filter(({ stage }) => stage === 'timed');

  it('goes alone: any other is over by then, or waits for it', () => {
    expect(timed.length).toBeGreaterThan(30);
    // Many requests wait for the same lists: each list is looked through once.
    const lists = new Map(
      plan.requests.map((request) => {
        const { always, unlessSteady } = waits(request);
        return [request.id, [...always, ...unlessSteady]];
      }),
    );
    const listsOf = (id: string): readonly (readonly string[])[] => lists.get(id) ?? [];
    const behindAll = oncePerObject(
      (list: readonly string[]) => new Set([...list, ...new Set(list.flatMap(listsOf))].flat()),
    );
    const isBefore = (id: string, other: string): boolean =>
      listsOf(other).some((list) => behindAll(list).has(id));
    const others = plan.requests.filter(({ stage }) => stage !== 'declared' && stage !== 'timed');
    const beside = others.flatMap((request) =>
      timed
        .filter(({ id }) => isBefore(id, request.id) === isBefore(request.id, id))
        .map(({ id }) => `${request.id} ${id}`),
    );
    expect(beside).toEqual([]);
  });

  it('waits for the one before, and for the few refused logins that go at once in between', () => {
    let last: readonly string[] = [];
    let few: readonly string[] = [];
    for (const request of timed) {
      const waited = new Set(before(request.id));
      const due = isLogin(request) ? last : [...last, ...few];
      expect(
        due.filter((id) => !waited.has(id)),
        request.id,
      ).toEqual([]);
      if (isLogin(request)) expect(few.filter((id) => waited.has(id))).toEqual([]);
      [last, few] = isLogin(request) ? [last, [...few, request.id]] : [[request.id], []];
    }
    expect(timed.filter(isLogin).length).toBeGreaterThan(mostWrongInRow);
  });
});

test('where the target is steady, what is timed waits for discovery alone', () => {
  expect(
    new Set(
      waits(byId('chat.stream.long.1'))
        .always.flat()
        .map((id) => byId(id).stage),
    ),
  ).toEqual(new Set(['discovery']));
});

test('beside what is timed all else keeps its place, and what goes one by one is spread over all before its end', () => {
  const places = placesBesideTimed(plan);
  const placeOf = (id: string): number => places.get(id) ?? Number.NaN;
  const end = plan.requests.findLastIndex(({ stage }) => stage === 'timed');
  const timed = plan.requests.filter((request) => request.stage === 'timed' && !isLogin(request));
  const gaps = timed.slice(1).map(({ id }, before) => placeOf(id) - placeOf(timed[before]?.id ?? ''));
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...gaps)).toBeLessThan(end / 20);
  expect(placeOf(timed[0]?.id ?? '')).toBeLessThan(end / 2);
  expect(placeOf(timed.at(-1)?.id ?? '')).toBeLessThanOrEqual(end);
  const refused = plan.requests.filter(({ stage }) => stage === 'further');
  for (const { id } of refused) expect(placeOf(id)).toBe(plan.requests.findIndex((each) => each.id === id));
});

test('streams of an endpoint go two at a time: one waits for what the other waits for', () => {
  expect(new Set([...pairs.keys()].map((id) => byId(id).protocol))).toEqual(new Set(textProtocols));
  for (const [id, first] of pairs) {
    expect([byId(id).stream, byId(first).stream]).toEqual([true, true]);
    expect(byId(id).protocol).toBe(byId(first).protocol);
    expect(before(id)).toEqual(before(first));
  }
  expect(new Set([...pairs].flat()).size).toBe(2 * pairs.size);
  expect(streamPairs(plan.requests.toReversed())).toEqual(pairs);
});

describe('refused logins', () => {
  const loginsIn = (ids: readonly string[]): readonly string[] => ids.filter((id) => isLogin(byId(id)));

  it('go a few at once, and each few is followed by a valid request that waits for them', () => {
    const followed = plan.requests.flatMap((request) => {
      const logins = isLogin(request) ? [] : loginsIn(waits(request).always.flat());
      return request.stage === 'lanes' && !pairs.has(request.id) && logins.length > 0 ? [logins] : [];
    });
    expect(followed.flat().length).toBeGreaterThan(50);
    expect(new Set(followed.flat()).size).toBe(followed.flat().length);
    for (const logins of followed) expect(logins.length).toBeLessThanOrEqual(mostWrongInRow);
  });

  it('wait for the valid request behind the few before', () => {
    const [first, ...others] = plan.requests.filter(
      (request) => isLogin(request) && request.stage === 'lanes',
    );
    const beyond = (request: PlannedRequest): readonly string[] =>
      waits(request)
        .always.flat()
        .filter((id) => byId(id).stage === 'lanes');
    expect(first && beyond(first)).toEqual([]);
    const late = others.slice(mostWrongInRow);
    expect(late.filter((request) => beyond(request).length === 0).map(({ id }) => id)).toEqual([]);
  });
});

test.each(profiles)('in %s nothing waits for itself, by whatever way', (profile) => {
  const whole = planned({ families, groups, rateLimited: true }, {}, { profile, skipCostly: false });
  const waitsOf = waitsIn(whole);
  const ids = new Set(whole.requests.map(({ id }) => id));
  const done = new Set<string>();
  let left = whole.requests.map((request) => {
    const { always, unlessSteady } = waitsOf(request);
    const needed = [...dependencies(request), ...always.flat(), ...unlessSteady.flat()];
    return { id: request.id, needed: [...new Set(needed)].filter((id) => ids.has(id)) };
  });
  while (left.length > 0) {
    const ready = left.filter(({ needed }) => needed.every((id) => done.has(id)));
    expect(ready.length, left.map(({ id }) => id).join(', ')).toBeGreaterThan(0);
    for (const { id } of ready) done.add(id);
    left = left.filter(({ id }) => !done.has(id));
  }
});
