import { describe, expect, it } from 'vitest';
import { families, groups, isTextProtocol, protocols } from '../../spec/vocabulary.ts';
import { mostWrongInRow } from '../wire/retry/login-watch.ts';
import { isConditional, type PlannedRequest } from '../types/plan.ts';
import { dependencies } from './dependencies.ts';
import { isLogin, witnessesIn } from './lanes.ts';
import { planned } from './planned.fixture.ts';
import { inRunOrder } from './run-order.ts';

const plan = planned({ families, groups, rateLimited: true }, {}, { profile: 'standard', skipCostly: false });
/** What is sent in any case. */
const sent = plan.requests.filter((request) => !isConditional(request));
const isValid = ({ expect: hoped }: PlannedRequest): boolean => hoped === 'answer';
const kinds = protocols.flatMap((protocol) =>
  [false, true]
    .filter((stream) => !stream || isTextProtocol(protocol))
    .map((stream) => ({ protocol, stream, what: `${protocol}, ${stream ? 'streamed' : 'whole'}` })),
);
const of = ({ protocol, stream }: (typeof kinds)[number]) =>
  sent.filter((request) => isValid(request) && request.protocol === protocol && request.stream === stream);
const placeOf = (request: PlannedRequest): number => sent.indexOf(request) / sent.length;
const groupOf = ({ callers: [caller] }: PlannedRequest) => caller?.group;

describe('the order of a run', () => {
  it('has each request behind those that it waits for', () => {
    const before = new Set<string>();
    const ids = new Set(plan.requests.map(({ id }) => id));
    for (const request of plan.requests) {
      const waited = dependencies(request).filter((id) => ids.has(id) && id !== request.id);
      expect(
        waited.filter((id) => !before.has(id)),
        request.id,
      ).toEqual([]);
      before.add(request.id);
    }
  });

  it.each(kinds)('has valid requests of each kind in its first and in its last quarter: $what', (kind) => {
    const places = of(kind).map(placeOf);
    expect(Math.min(...places)).toBeLessThan(0.25);
    expect(Math.max(...places)).toBeGreaterThan(0.75);
  });

  it.each(kinds)('has some right behind a refused one with the same token: $what', (kind) => {
    const behind = of(kind).filter((request) => {
      const before = sent
        .slice(0, sent.indexOf(request))
        .filter((each) => groupOf(each) === groupOf(request));
      return before.at(-1)?.expect === 'refusal';
    });
    expect(behind.length).toBeGreaterThan(0);
  });

  it('has no more refused logins than are allowed without a valid request behind them, spread over it', () => {
    const witnesses = new Set([
      ...witnessesIn(plan.requests, 'lanes'),
      ...witnessesIn(plan.requests, 'timed'),
    ]);
    let inRow = 0;
    for (const request of sent) {
      if (isLogin(request)) inRow += 1;
      else if (witnesses.has(request)) inRow = 0;
      expect(inRow, request.id).toBeLessThanOrEqual(mostWrongInRow);
    }
    const places = sent.filter(isLogin).map(placeOf);
    expect(Math.min(...places)).toBeLessThan(0.25);
    expect(Math.max(...places)).toBeGreaterThan(0.75);
  });

  it('has an invalid token of each endpoint before every other login', () => {
    const logins = sent.filter(isLogin).map(({ id }) => id);
    expect(logins.slice(0, protocols.length).sort()).toEqual(
      protocols.map((protocol) => `${protocol}.auth.invalid.first`).sort(),
    );
  });

  it('begins the longest chain soon, though nothing else asks for it', () => {
    const chain = sent.find(({ id }) => id === 'images.combination.2');
    expect(chain && placeOf(chain)).toBeLessThan(0.25);
  });

  it('is the same for the same seed, and mixes what is refused by it', () => {
    const ids = (seed: number) => inRunOrder(plan.requests, new Set(), seed).map(({ id }) => id);
    expect(ids(1)).toEqual(ids(1));
    expect(ids(2)).not.toEqual(ids(1));
    expect([...ids(2)].sort()).toEqual([...ids(1)].sort());
  });
});
