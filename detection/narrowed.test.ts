import { expect, test } from 'vitest';
import { defaultConsole } from '../fixtures/gateway/console.ts';
import { targetFor } from '../fixtures/gateway/describe.ts';
import type { Plan } from '../suites/types/plan.ts';
import type { Selection } from '../suites/types/run.ts';
import { everything, planRun } from '../suites/plan/plan.ts';
import { narrowed } from './detect.ts';

const planOf = (selection: Selection): Plan =>
  planRun(targetFor(defaultConsole(), 'http://127.0.0.1'), {
    seed: 1,
    selection,
    profile: 'standard',
    skipCostly: false,
  });
const idsOf = ({ cases, requests }: Plan) => ({
  cases: cases.map(({ id }) => id),
  // What tells of the declaration goes by which requests are asked first.
  requests: requests
    .filter(({ stage }) => stage !== 'declared')
    .map(({ id }) => id)
    .sort(),
});
const whole = planOf(everything);

test.each<[string, Partial<Selection>]>([
  ['a requirement', { requirements: ['chat.result.id'] }],
  ['requirements of combinations', { requirements: ['chat.output.intact', 'images.param.size.accepted'] }],
  ['suites', { suites: ['errors', 'streams'] }],
  ['a requirement in one suite', { suites: ['authentication'], requirements: ['chat.auth.invalid'] }],
])('%s of a whole plan leaves the cases and requests that a plan of it alone has', (_, selected) => {
  const selection = { ...everything, ...selected };
  const part = narrowed(whole, selection);
  expect(part.cases.length).toBeGreaterThan(0);
  expect(idsOf(part)).toEqual(idsOf(planOf(selection)));
});
