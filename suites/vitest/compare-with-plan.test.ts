import { expect, test } from 'vitest';
import type { ReportCase, Verdict } from '../types/report.ts';
import { joinCases, type ReturnedTest } from './runner.ts';

const judged = (verdicts: Readonly<Record<string, Verdict>>): Map<string, ReportCase> =>
  new Map(
    Object.entries(verdicts).map(([id, verdict]) => [
      id,
      { id, title: id, suite: 'errors', requirements: [], verdict, findings: [], passed: [], exchanges: [] },
    ]),
  );

const planned = [{ id: 'a' }, { id: 'b' }];
const both = judged({ a: 'pass', b: 'fail' });
const a: ReturnedTest = { caseId: 'a', verdict: 'pass', state: 'passed' };
const b: ReturnedTest = { caseId: 'b', verdict: 'fail', state: 'failed' };

test('nothing is wrong where plan, judge and runner agree', () => {
  expect(joinCases(planned, both, [b, a])).toEqual([]);
});

test('a case that did not come back is told', () => {
  expect(joinCases(planned, both, [b])).toEqual(['a: did not come back from the test runner']);
});

test('a case that was never judged is told, even where its test passed', () => {
  expect(joinCases(planned, judged({ b: 'fail' }), [a, b])).toEqual(['a: was not judged']);
});

test('a case that came back twice is told', () => {
  expect(joinCases(planned, both, [a, a, b])).toEqual(['a: came back 2 times']);
});

test('a test that says another thing than the judge is told', () => {
  expect(joinCases(planned, both, [a, { ...b, state: 'passed' }])).toEqual([
    'b: was judged fail and came back passed',
  ]);
});

test.each([
  ['inconclusive', 'skipped', 'passed'],
  ['untested', 'skipped', 'passed'],
  ['observed', 'passed', 'skipped'],
  ['conflict', 'passed', 'skipped'],
] as const)('%s comes back %s', (verdict, state, other) => {
  const one = [{ id: 'a' }];
  const test: ReturnedTest = { ...a, verdict, state };
  expect(joinCases(one, judged({ a: verdict }), [test])).toEqual([]);
  expect(joinCases(one, judged({ a: verdict }), [{ ...test, state: other }])).toHaveLength(1);
});
