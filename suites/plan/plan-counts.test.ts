import { expect, test } from 'vitest';
import { targetFor } from '../../fixtures/gateway/describe.ts';
import { defaultConsole } from '../../fixtures/gateway/console.ts';
import type { Exchange } from '../../suites/types/exchange.ts';
import { everything, planRun } from '../../suites/plan/plan.ts';
import { countOf, createTally } from '../../suites/plan/plan-counts.ts';
import { isConditional } from '../types/plan.ts';

const target = targetFor(defaultConsole(), 'http://127.0.0.1:9');
const plan = planRun(target, {
  seed: 1,
  selection: everything,
  profile: 'smoke',
  skipCostly: false,
});
const [certain = '', second = ''] = plan.requests
  .filter((request) => !isConditional(request))
  .map(({ id }) => id);
const conditional = plan.requests.find(isConditional)?.id ?? '';
const sent = (id: string, more: Partial<Exchange> = {}) =>
  ({ id, attempts: [], ...more }) as unknown as Exchange;
const planned = countOf(plan.requests).requests;

test('what is sent in any case counts from the beginning, whether or not it could be sent', () => {
  const tally = createTally(plan);
  expect(tally(sent(certain))).toEqual({ done: 1, total: planned });
  expect(tally({ id: second, unsent: { kind: 'no-near-miss' } })).toEqual({ done: 2, total: planned });
});

test('what is sent only where it is necessary counts when it was sent, and a control again never', () => {
  const tally = createTally(plan);
  expect(tally({ id: conditional, unsent: { kind: 'stand-in-not-needed' } })).toEqual({
    done: 0,
    total: planned,
  });
  expect(tally(sent(conditional))).toEqual({ done: 1, total: planned + 1 });
  expect(tally(sent(`${certain}~2`, { repeats: certain }))).toEqual({ done: 1, total: planned + 1 });
});

test('what is asked again counts once', () => {
  const tally = createTally(plan);
  tally(sent(certain));
  expect(tally(sent(certain))).toEqual({ done: 1, total: planned });
});
