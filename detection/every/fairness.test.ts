import { expect, test } from 'vitest';
import { variantById } from '../../fixtures/variants/index.ts';
import {
  fairness,
  fairnessRow,
  flipsOf,
  isFair,
  type Run,
  type Trial,
  withBusyCore,
  withTransientFaults,
} from '../fairness.ts';

const subjectOf = (id: string): Trial['subject'] => {
  const found = variantById(id);
  if (found === undefined) throw new Error(`no variant ${id}`);
  return found;
};

const trial = (subject: Trial['subject'], repeats = 1): Trial => ({
  subject,
  verdict: 'conformant',
  breaks: [],
  repeats,
});

test('a conformant gateway with transient faults gets the same verdicts at any concurrency, beside a busy core', async () => {
  const trials = [trial(withTransientFaults(subjectOf('refusal.status-200')))];
  const options = { concurrencies: [8, 32], withinMs: 100_000 };
  const rows = await withBusyCore(110_000, () => fairness(trials, options));
  const hard = rows.map(({ flips, ...row }) => ({ ...row, flips: flips.filter(({ byClock }) => !byClock) }));
  expect(hard).toEqual(
    trials.map(({ subject: { id } }) => ({ id, runs: 2, missing: 0, right: 2, flips: [] })),
  );
}, 120_000);

type Said = 'pass' | 'fail' | 'inconclusive' | 'inconclusive (too-fast)';
const run = (concurrency: number, requirement: string, verdict: Said, seen = ''): Run => ({
  id: 'x',
  concurrency,
  verdict: verdict === 'fail' ? 'non-conformant' : 'conformant',
  verdicts: new Map([[requirement, { verdict, seen }]]),
});
const any = trial({ id: 'x', title: 'x', hooks: {} }, 3);

test('a run that says something else is a flip, named with its concurrency and its reason', () => {
  const runs = [run(1, 'a', 'pass'), run(8, 'a', 'pass'), run(32, 'a', 'fail', 'late')];
  expect(flipsOf(runs)).toEqual([
    { requirement: 'a', verdicts: 'pass: 2, fail: 1', minority: ['fail at 32: late'], byClock: false },
  ]);
  expect(fairnessRow(any, runs, 3)).toMatchObject({ runs: 3, missing: 0, right: 2 });
  expect(isFair(fairnessRow(any, runs, 3))).toBe(false);
});

test('what one run leaves open or does not name is a flip, too', () => {
  const open = run(8, 'a', 'inconclusive (too-fast)');
  expect(flipsOf([run(1, 'a', 'pass'), open])).toMatchObject([
    { requirement: 'a', verdicts: 'pass: 1, inconclusive (too-fast): 1', byClock: true },
  ]);
  expect(flipsOf([run(1, 'a', 'pass'), run(1, 'b', 'pass')])).toHaveLength(2);
  expect(flipsOf([open, open])).toEqual([]);
});

test('runs that agree are fair only where all were made, and say what they must', () => {
  const good = [run(1, 'a', 'pass'), run(8, 'a', 'pass')];
  expect(isFair(fairnessRow(any, good, 2))).toBe(true);
  expect(isFair(fairnessRow(any, good, 3))).toBe(false);
  expect(isFair(fairnessRow(any, [], 0))).toBe(false);
  expect(isFair(fairnessRow(any, [run(1, 'a', 'inconclusive')], 1))).toBe(false);
  const beside = (verdict: Said): Run => ({
    ...run(1, 'a', verdict),
    verdicts: new Map([...run(1, 'a', verdict).verdicts, ...run(1, 'b', 'pass').verdicts]),
  });
  expect(isFair(fairnessRow(any, [beside('pass'), beside('inconclusive (too-fast)')], 2))).toBe(true);
  expect(isFair(fairnessRow(any, [beside('pass'), beside('inconclusive')], 2))).toBe(false);
  const caught: Trial = { ...any, verdict: 'non-conformant', breaks: ['a'] };
  expect(isFair(fairnessRow(caught, good, 2))).toBe(false);
  expect(isFair(fairnessRow(caught, [run(1, 'a', 'fail')], 1))).toBe(true);
  expect(isFair(fairnessRow(caught, [run(1, 'b', 'fail')], 1))).toBe(false);
});
