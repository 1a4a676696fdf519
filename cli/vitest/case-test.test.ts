import { expect, test } from 'vitest';
import { parseBaseline } from '../../fixtures/baseline/baseline.ts';
import { applyBaseline } from '../../reporters/baseline/apply.ts';
import { sampleReport } from '../../reporters/sample.fixture.ts';
import { impacts } from '../../spec/vocabulary.ts';
import type { Report, ReportCase, Verdict } from '../../suites/types/report.ts';
import { type CaseTest, caseTests, otherProblems } from './case-test.ts';

/** A report of one case with one finding about a requirement of the register. */
function reportOf(verdict: Verdict, over: Partial<ReportCase['findings'][number]> = {}): Report {
  const id = 'chat.result.id';
  const found = verdict === 'fail' || verdict === 'inconclusive' || verdict === 'untested';
  const finding = { requirement: id, message: 'm', expected: 'text', actual: 'nothing', ...over } as const;
  const judged: ReportCase = {
    id: 'results.chat.fields',
    title: 'title',
    suite: 'results',
    requirements: [id],
    verdict,
    findings: found ? [{ ...finding, verdict }] : [],
    passed: [],
    exchanges: [],
    reproduce: 'curl',
  };
  const row = { id, sections: ['2.5'], level: 'stated', impact: 'client', statement: 's', verdict } as const;
  return { ...sampleReport(), requirements: [{ ...row, cases: [judged.id] }], cases: [judged] };
}

function testOf(report: Report, options: Partial<Parameters<typeof caseTests>[1]> = {}): CaseTest {
  const [judged] = report.cases;
  if (judged === undefined) throw new Error('the report has a case');
  return caseTests(report, { baseline: undefined, failOn: impacts, ...options })(judged);
}

const entry = (expires: string) =>
  parseBaseline(
    'b.yaml',
    `expected:\n  - requirement: chat.result.id\n    reason: ticket 12\n    expires: ${expires}\n`,
  );

test('what failed fails with its finding, expected and actual, and the command that shows it', () => {
  expect(testOf(reportOf('fail'))).toEqual({
    kind: 'failed',
    message: 'chat.result.id: m\n  expected text\n  actual   nothing\n\ncurl',
    expected: 'text',
    actual: 'nothing',
  });
});

test('a failure that does not count is skipped, with why', () => {
  const baseline = applyBaseline(reportOf('fail'), entry('2027-01-01'), '2026-11-22');
  expect(testOf(reportOf('fail'), { baseline })).toEqual({
    kind: 'skipped',
    note: 'expected failure: ticket 12, until 2027-01-01',
  });
  expect(testOf(reportOf('fail'), { failOn: ['credential'] })).toMatchObject({
    kind: 'skipped',
    note: expect.stringContaining('does not count, fail-on credential:\nchat.result.id: m'),
  });
});

test('an entry that expired expects nothing', () => {
  const baseline = applyBaseline(reportOf('fail'), entry('2026-11-01'), '2026-11-22');
  expect(testOf(reportOf('fail'), { baseline })).toMatchObject({ kind: 'failed' });
});

test('what is inconclusive fails where it gates, for a run that proves nothing must not be green', () => {
  expect(testOf(reportOf('inconclusive'))).toEqual({
    kind: 'failed',
    message: 'inconclusive\nchat.result.id: m',
  });
  expect(testOf(reportOf('inconclusive', { nonGating: 'too-fast' }))).toMatchObject({ kind: 'skipped' });
  const baseline = applyBaseline(reportOf('inconclusive'), entry('2027-01-01'), '2026-11-22');
  expect(testOf(reportOf('inconclusive'), { baseline })).toMatchObject({ kind: 'skipped' });
});

test('what is untested is skipped with the reason; what passed or was observed passes', () => {
  expect(testOf(reportOf('untested'))).toEqual({ kind: 'skipped', note: 'untested\nchat.result.id: m' });
  for (const verdict of ['pass', 'observed', 'conflict'] as const)
    expect(testOf(reportOf(verdict)), verdict).toEqual({ kind: 'passed' });
});

test('a stale entry and a pin that changed are problems of their own', () => {
  const report: Report = {
    ...reportOf('pass'),
    pins: {
      file: 'p.yaml',
      kept: 0,
      changed: [
        { kind: 'observation', id: 'x', line: 2, subject: 's', pinned: 'a', observed: 'b', exchanges: [] },
      ],
      unobserved: [],
    },
  };
  const baseline = applyBaseline(report, entry('2027-01-01'), '2026-11-22');
  expect(otherProblems(report, baseline)).toEqual([
    'chat.result.id (b.yaml:2): stale: it passes now, remove the entry',
    'observation x is pinned to a, and is b',
  ]);
  expect(otherProblems(reportOf('pass'), undefined)).toEqual([]);
});
