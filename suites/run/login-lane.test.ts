import { expect, it } from 'vitest';
import { families, groups } from '../../spec/vocabulary.ts';
import { dependencies } from '../plan/dependencies.ts';
import { isLogin } from '../plan/lanes.ts';
import { planned } from '../plan/planned.fixture.ts';
import { isConditional, type PlannedRequest } from '../types/plan.ts';
import { mostWrongInRow } from '../wire/retry/login-watch.ts';
import { waitsIn } from './order.ts';
import { msLeft } from './time-left.ts';

const scope = { families, groups, rateLimited: true };
const plan = planned(scope, {}, { profile: 'standard', skipCostly: false });
const sent = plan.requests.filter((request) => !isConditional(request));
const isSlow = ({ expect: due }: PlannedRequest): boolean => due === 'answer';

/** How many answers a run waits for in a row, eight requests at once, where a refusal takes no time. */
function answersInRow(isSteady: boolean): number {
  const waitsOf = waitsIn(plan);
  const left = sent.map((request) => {
    const { always, unlessSteady } = waitsOf(request);
    return { request, waits: [...always, ...(isSteady ? [] : unlessSteady), dependencies(request)] };
  });
  const expectedMs = (request: PlannedRequest): number => (isSlow(request) ? 1 : 0);
  return msLeft({ left, concurrency: 8, underWayMs: new Map(), expectedMs });
}

it('a run waits for one answer behind each four refused logins, for what it begins and ends with, and for nothing else', () => {
  const fews = Math.ceil(sent.filter(isLogin).length / mostWrongInRow);
  expect(fews).toBeGreaterThan(20);
  expect(answersInRow(true)).toBeLessThanOrEqual(fews + 2);
});

it('logins stand before each answer that is timed, so that they add none where these go one by one', () => {
  const timed = sent.filter((request) => request.stage === 'timed');
  const answers = timed.filter(isSlow).length;
  const fewsInLanes = Math.ceil(
    sent.filter((request) => request.stage === 'lanes' && isLogin(request)).length / mostWrongInRow,
  );
  expect(timed.filter(isLogin).length).toBeGreaterThanOrEqual(mostWrongInRow * (answers - 3));
  expect(answersInRow(false)).toBeLessThanOrEqual(answers + fewsInLanes + 4);
});
