import { describe, expect, test } from 'vitest';
import type { Report } from '../../suites/types/report.ts';
import type { BaselineEntry } from '../../fixtures/baseline/baseline.ts';
import { unjudgedPlaceholder, planUpdate } from './apply.ts';
import { apply, entry, one, other, plain, report, streamed } from './judged.fixture.ts';

const selecting = (given: Report, axis: string): Report => ({
  ...given,
  scope: { ...given.scope, selection: { [axis]: ['x'], requirements: [] } },
});

describe('a failure', () => {
  test('names the cases that found it, cell by cell, and none in which only something else failed', () => {
    const given = report(
      ['a', plain, { [one]: 'fail' }],
      ['b', plain, { [one]: 'fail', [other]: 'pass' }],
      ['c', streamed, { [one]: 'fail' }],
      ['d', streamed, { [one]: 'inconclusive' }],
      ['e', plain, { [one]: 'pass', [other]: 'fail' }],
      ['f', undefined, { [one]: 'fail' }],
    );
    expect(apply(given).newFailures).toStrictEqual([
      { requirement: one, statement: 'chat.result.id is so.', cell: plain, cases: ['a', 'b'] },
      { requirement: one, statement: 'chat.result.id is so.', cell: streamed, cases: ['c'] },
      { requirement: one, statement: 'chat.result.id is so.', cases: ['f'] },
      { requirement: other, statement: 'chat.result.object is so.', cell: plain, cases: ['e'] },
    ]);
  });

  test('that no case shows is a failure all the same', () => {
    const given = { ...report(['a', plain, { [one]: 'fail' }]), cases: [] };
    const failure = { requirement: one, statement: 'chat.result.id is so.', cases: [] };
    expect(apply(given).newFailures).toStrictEqual([failure]);
    expect(apply(given, entry(one))).toMatchObject({ newFailures: [], ok: true });
    expect(apply(given, entry(one, { cell: plain }))).toMatchObject({ newFailures: [failure], ok: false });
  });

  test('past the date of its entry is expired and expected no longer', () => {
    const late = entry(one, { expires: '2026-11-20' });
    const outcome = apply(report(['a', plain, { [one]: 'fail' }]), late);
    expect(outcome).toMatchObject({ expected: [], newFailures: [], ok: false });
    expect(outcome.expired.map((covered) => covered.entry)).toEqual([late]);
  });
});

test('one thing wrong is not made up for by another', () => {
  const late = { expires: '2026-11-20' };
  const given = report(
    ['a', plain, { [one]: 'fail' }],
    ['b', plain, { [other]: 'pass' }],
    ['c', plain, { 'chat.result.model': 'fail' }],
  );
  expect(apply(given, entry(one, late)).ok).toBe(false);
  expect(apply(given, entry(one), entry('chat.result.model'), entry(other), entry('gone')).ok).toBe(false);
  expect(apply(given, entry(one), entry('chat.result.model', late), entry(other)).ok).toBe(false);
  expect(apply(given, entry(one), entry('chat.result.model')).ok).toBe(true);
});

describe('what could not be judged', () => {
  const given = report(['a', plain, { [one]: 'inconclusive' }], ['b', plain, { [other]: 'pass' }]);
  const ids = (...entries: readonly BaselineEntry[]) => apply(given, ...entries).unjudged.map(({ id }) => id);

  test('is unjudged where no entry in force names it, as a whole', () => {
    expect(ids()).toEqual([one]);
    expect(ids(entry(one, { expires: '2026-11-20' }))).toEqual([one]);
    expect(ids(entry(one, { cell: plain }))).toEqual([one]);
    expect(ids(entry(one))).toEqual([]);
    expect(apply(given, entry(one))).toMatchObject({ ok: true, undecided: [{ requirement: one }] });
  });

  test('comes into the baseline with an update, but for what a stopped run did not judge', () => {
    const update = (of: Report) =>
      planUpdate(of, { file: 'b.yaml', entries: [] }, apply(of), '2026-11-21').add;
    expect(update(given)).toEqual([{ requirement: one, reason: unjudgedPlaceholder, expires: '2027-02-19' }]);
    expect(update({ ...given, run: { ...given.run, partial: true } })).toEqual([]);
  });
});

test('an entry that still has the reason of an update is named, and changes nothing else', () => {
  const failing = report(['a', plain, { [one]: 'fail' }]);
  const given = entry(one, { reason: unjudgedPlaceholder });
  expect(apply(failing, given)).toMatchObject({ ok: true, unexplained: [given] });
  expect(apply(failing, entry(one)).unexplained).toEqual([]);
});

describe('an entry that covers no failure', () => {
  const passing = report(['a', plain, { [one]: 'pass' }], ['b', plain, { [one]: 'pass' }]);

  test.each([
    ['suites', 'stale'],
    ['families', 'undecided'],
    ['groups', 'undecided'],
  ] as const)('in a passing run limited by %s is %s', (axis, standing) => {
    expect(apply(selecting(passing, axis), entry(one))[standing]).toEqual([entry(one)]);
  });

  test('narrowed to a cell is stale only where each case of the cell passed', () => {
    const narrow = entry(one, { cell: plain });
    expect(apply(passing, narrow).stale).toEqual([narrow]);
    const half = report(['a', plain, { [one]: 'pass' }], ['b', plain, { [one]: 'inconclusive' }]);
    expect(apply(half, narrow)).toMatchObject({ stale: [], undecided: [narrow], ok: true });
  });

  test('narrowed to a cell is unmatched where the report has no case of its requirement', () => {
    const narrow = entry(one, { cell: plain });
    const bare = { ...passing, cases: [] };
    expect(apply(bare, narrow)).toMatchObject({ unmatched: [narrow], ok: false });
    expect(apply(selecting(bare, 'suites'), narrow)).toMatchObject({ undecided: [narrow], ok: true });
  });
});
