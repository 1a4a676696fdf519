import { describe, expect, test } from 'vitest';
import type { BaselineEntry } from '../../fixtures/baseline/baseline.ts';
import type { Report } from '../../suites/types/report.ts';
import { apply, entry, one, other, plain, report, streamed, today } from './judged.fixture.ts';
import { expectedFailures } from './expected-failures.ts';
import { planUpdate } from './apply.ts';

describe('what is known', () => {
  const known = (given: Report, ...entries: readonly BaselineEntry[]) =>
    expectedFailures(given, apply(given, ...entries));

  test('is no requirement that fails in another cell too, nor one with an entry past its date', () => {
    const given = report(['a', plain, { [one]: 'fail' }], ['b', streamed, { [one]: 'fail' }]);
    const narrow = entry(one, { cell: plain });
    expect(known(given, narrow)).toEqual({
      problems: [],
      requirements: new Map(),
      cases: new Map([['a', 'in general/chat/default: known, until 2027-03-31']]),
    });
    const late = entry(one, { cell: streamed, expires: '2026-11-20' });
    expect(known(given, narrow, late).requirements).toEqual(new Map());
  });

  test('has the words of its own entries only, each once', () => {
    const given = report(
      ['a', plain, { [one]: 'fail', [other]: 'fail' }],
      ['b', streamed, { [one]: 'fail', [other]: 'inconclusive' }],
    );
    const entries = [entry(one), entry(other, { reason: 'ticket 9' })];
    expect(known(given, ...entries)).toEqual({
      problems: [],
      requirements: new Map([
        [one, 'known, until 2027-03-31'],
        [other, 'ticket 9, until 2027-03-31'],
      ]),
      cases: new Map([
        ['a', 'known, until 2027-03-31; ticket 9, until 2027-03-31'],
        ['b', 'known, until 2027-03-31'],
      ]),
    });
  });

  test('is no case that failed without a finding that says so', () => {
    const given = report(['a', plain, { [one]: 'fail' }]);
    const silent = { ...given, cases: given.cases.map((outcome) => ({ ...outcome, findings: [] })) };
    expect(known(silent, entry(one)).cases).toEqual(new Map());
  });
});

describe('an update', () => {
  const added = (given: Report, ...entries: readonly BaselineEntry[]) =>
    planUpdate(given, { file: 'b.yaml', entries }, apply(given, ...entries), today).add;
  const fresh = { reason: 'TODO: say why', expires: '2027-02-19' };

  test('is wide where a failure has no cell, though a case passed', () => {
    const given = report(
      ['a', plain, { [one]: 'fail' }],
      ['b', undefined, { [one]: 'fail' }],
      ['c', streamed, { [one]: 'pass' }],
    );
    expect(added(given)).toEqual([{ requirement: one, ...fresh }]);
  });

  test('writes each requirement by itself: an entry of another makes it no narrower', () => {
    const given = report(
      ['a', plain, { [one]: 'fail' }],
      ['b', streamed, { [other]: 'fail' }],
      ['c', plain, { 'chat.result.model': 'fail' }],
    );
    expect(added(given, entry('chat.result.model'))).toEqual([
      { requirement: one, ...fresh },
      { requirement: other, ...fresh },
    ]);
  });
});
