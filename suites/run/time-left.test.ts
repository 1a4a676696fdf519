import { describe, expect, it } from 'vitest';
import { defaultConsole } from '../../fixtures/gateway/console.ts';
import { targetFor } from '../../fixtures/gateway/describe.ts';
import { everything, planRun } from '../plan/plan.ts';
import type { Exchange } from '../types/exchange.ts';
import { isConditional, type PlannedRequest } from '../types/plan.ts';
import { createTimeLeft, msLeft } from './time-left.ts';

const target = targetFor(defaultConsole(), 'http://127.0.0.1:9');
const plan = planRun(target, { seed: 1, selection: everything, profile: 'smoke', skipCostly: false });
const certain = plan.requests.filter((request) => !isConditional(request));
const [a, b, c, d] = certain as [PlannedRequest, PlannedRequest, PlannedRequest, PlannedRequest];

describe('the time that is left', () => {
  const known = { concurrency: 2, underWayMs: new Map<string, number>(), expectedMs: () => 100 };
  const free = [a, b, c, d].map((request) => ({ request, waits: [] }));

  it('is that of so many requests at once', () => {
    expect(msLeft({ ...known, left: free })).toBe(200);
    expect(msLeft({ ...known, left: free, concurrency: 1 })).toBe(400);
    expect(msLeft({ ...known, left: [] })).toBe(0);
  });

  it('is that of the longest chain where requests wait for each other', () => {
    const left = [
      { request: a, waits: [] },
      { request: b, waits: [[a.id]] },
      { request: c, waits: [[a.id], [b.id]] },
      { request: d, waits: [[a.id, 'recorded before']] },
    ];
    expect(msLeft({ ...known, left })).toBe(300);
  });

  it('is less by what a request under way has taken already, and never less than nothing', () => {
    const left = free.slice(0, 2);
    const ofUnderWay = (ms: number) => msLeft({ ...known, left, underWayMs: new Map([[a.id, ms]]) });
    expect([ofUnderWay(30), ofUnderWay(500)]).toEqual([100, 100]);
    const alone = msLeft({ ...known, left: free.slice(0, 1), underWayMs: new Map([[a.id, 30]]) });
    expect(alone).toBe(70);
  });
});

describe('a run that is followed', () => {
  const recorded = (id: string) => ({ id, attempts: [] }) as unknown as Exchange;

  function followed(earlier: readonly string[] = [], { of = plan, concurrency = 1 } = {}) {
    const clock = { ms: 0 };
    const evidence = new Map(earlier.map((id) => [id, recorded(id)]));
    const timeLeft = createTimeLeft(of, concurrency, evidence, () => clock.ms);
    /** Sends requests one after the other, each in so many milliseconds. */
    const send = (requests: readonly PlannedRequest[], msOf: (request: PlannedRequest) => number) => {
      for (const request of requests) {
        timeLeft.begin(request.id);
        clock.ms += msOf(request);
        timeLeft.note(recorded(request.id));
      }
    };
    return { timeLeft, send };
  }

  it('tells nothing before five requests were timed', () => {
    const { timeLeft, send } = followed();
    send(certain.slice(0, 4), () => 100);
    expect(timeLeft.ms()).toBeUndefined();
    send(certain.slice(4, 5), () => 100);
    expect(timeLeft.ms()).toBe((certain.length - 5) * 100);
  });

  it('takes a refusal to last as long as refusals did, and an answer as answers did', () => {
    const { timeLeft, send } = followed();
    const msOf = ({ expect: due }: PlannedRequest): number => (due === 'answer' ? 3_000 : 10);
    const answers = certain.filter((request) => request.expect === 'answer');
    const refusals = certain.filter((request) => request.expect !== 'answer');
    const sent = new Set([...answers.slice(0, 5), ...refusals.slice(0, 5)]);
    send([...sent], msOf);
    const left = certain.filter((request) => !sent.has(request));
    expect(timeLeft.ms()).toBeCloseTo(left.reduce((sum, request) => sum + msOf(request), 0));
    send(left, msOf);
    expect(timeLeft.ms()).toBe(0);
  });

  it('lets what is timed go beside others once the target is known to be steady', () => {
    const timed = planRun(target, { seed: 1, selection: everything, profile: 'standard', skipCostly: false });
    const { timeLeft, send } = followed([], { of: timed, concurrency: 64 });
    send(timed.requests.filter((request) => !isConditional(request)).slice(0, 5), () => 100);
    const before = timeLeft.ms() ?? 0;
    timeLeft.steady();
    expect(timeLeft.ms()).toBeLessThan(before);
  });

  it('counts nothing that was recorded before, or that need not be sent', () => {
    const { timeLeft, send } = followed(certain.slice(5).map(({ id }) => id));
    send(certain.slice(0, 5), () => 100);
    expect(timeLeft.ms()).toBe(0);
    for (const { id } of plan.requests.filter(isConditional)) timeLeft.note(recorded(id));
    expect(timeLeft.ms()).toBe(0);
  });
});
