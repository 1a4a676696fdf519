import { expect, it } from 'vitest';
import { replied, unsent } from '../checks/evidence.fixture.ts';
import type { Exchange, Unsent } from '../model/exchange.ts';
import { sameRefusal, silence } from './silence.ts';

const evidence = (...entries: readonly (Exchange | Unsent)[]) =>
  new Map(entries.map((entry) => [entry.id, entry]));
const busy = (id: string, status = 503) => replied(id, { status, json: {} });

it('tells what came most often where nothing can be judged', () => {
  expect(silence(evidence(busy('a', 429), busy('b'), unsent('c'), busy('d')))).toBe(
    '2 of 3 exchanges: retryable status 503',
  );
});

it('has nothing to tell where one reply can be judged, or nothing was sent', () => {
  expect(silence(evidence(busy('a'), replied('b', { status: 404, json: {} })))).toBe(undefined);
  expect(silence(evidence(unsent('a')))).toBe(undefined);
});

it('tells what every reply was where all are refusals of one status, with what may be declared wrong', () => {
  const all = (...statuses: readonly number[]) =>
    evidence(...statuses.map((status, at) => replied(`e${at}`, { status, json: {} })), busy('busy'));
  expect(sameRefusal(all(401, 401, 401, 401))).toBe('every reply was HTTP 401; are the tokens right?');
  expect(sameRefusal(all(308, 308, 308, 308))).toMatch(
    /^every reply was HTTP 308; is target\.baseUrl right\?/,
  );
  expect(sameRefusal(all(500, 500, 500, 500))).toBe('every reply was HTTP 500');
  for (const others of [[401, 401, 401], [401, 401, 401, 400], [200, 200, 200, 200], []])
    expect(sameRefusal(all(...others))).toBe(undefined);
});
