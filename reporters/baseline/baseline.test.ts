import { describe, expect, test } from 'vitest';
import type { BaselineEntry } from '../../fixtures/baseline/baseline.ts';
import type { Cell } from '../../spec/vocabulary.ts';
import type { Report, ReportCase } from '../../suites/types/report.ts';
import { conformantReport, sampleReport } from '../sample.fixture.ts';
import { hostile } from '../sample.wire.fixture.ts';
import { applyBaseline, planUpdate } from './apply.ts';
import { markdownOf, terminalOf } from '../document/printed.fixture.ts';
import { baselineSection } from '../run/beside.ts';
import type { Depth } from '../../suites/types/profile.ts';

const today = '2026-11-21';
const one = 'chat.result.0.0';
const entry = (requirement: string, over: Partial<BaselineEntry> = {}): BaselineEntry => ({
  requirement,
  reason: 'ticket 12',
  expires: '2027-03-31',
  line: 2,
  ...over,
});
const baseline = (...entries: BaselineEntry[]) => ({ file: 'b.yaml', entries });

const cellOf = (stream: boolean): Cell => ({ family: 'general', protocol: 'chat', group: 'default', stream });

/** Only one requirement of the sample, judged by two cases: one for each cell. */
function twoCells(first: 'pass' | 'fail', second: 'pass' | 'fail'): Report {
  const report = sampleReport();
  const row = report.requirements.find(({ id }) => id === one);
  if (row === undefined) throw new Error('the fixture has the row');
  const cases = row.cases.map((id, at): ReportCase => {
    const verdict = at === 0 ? first : second;
    const known = report.cases.find((outcome) => outcome.id === id);
    if (known === undefined) throw new Error('the fixture has the case');
    const finding = { requirement: one, verdict: 'fail', message: 'm', expected: 'e', actual: 'a' } as const;
    return {
      ...known,
      cell: cellOf(at === 1),
      verdict,
      passed: verdict === 'pass' ? [one] : [],
      findings: verdict === 'fail' ? [finding] : [],
    };
  });
  const verdict = first === 'fail' || second === 'fail' ? 'fail' : 'pass';
  return { ...report, requirements: [{ ...row, verdict }], cases };
}

const failedIds = sampleReport()
  .requirements.filter(({ verdict }) => verdict === 'fail')
  .map(({ id }) => id);

describe('a run beside its baseline', () => {
  test('without an entry, every failure is new', () => {
    const outcome = applyBaseline(sampleReport(), baseline(), today);
    expect([...new Set(outcome.newFailures.map(({ requirement }) => requirement))]).toEqual(failedIds);
    expect(outcome.ok).toBe(false);
  });

  test('with an entry for each failure, all is expected', () => {
    const outcome = applyBaseline(sampleReport(), baseline(...failedIds.map((id) => entry(id))), today);
    expect(outcome).toMatchObject({ newFailures: [], stale: [], expired: [], unmatched: [], ok: true });
    expect(outcome.expected).toHaveLength(9);
  });

  test('an entry that passes now is stale', () => {
    const outcome = applyBaseline(conformantReport(), baseline(entry(one)), today);
    expect(outcome.stale.map(({ requirement }) => requirement)).toEqual([one]);
    expect(outcome.ok).toBe(false);
  });

  test.each([
    ['2026-11-20', 1],
    ['2026-11-21', 0],
  ])('an entry that expires on %s is expired in %i cases', (expires, expected) => {
    const outcome = applyBaseline(twoCells('fail', 'pass'), baseline(entry(one, { expires })), today);
    expect(outcome.expired).toHaveLength(expected);
    expect(outcome.newFailures).toEqual([]);
    expect(outcome.ok).toBe(expected === 0);
  });

  test('an entry of which a full run judged nothing is unmatched; of a selected or stopped run nothing is said', () => {
    const report = conformantReport();
    const never = report.requirements.find(({ verdict }) => verdict === 'untested')?.id ?? '';
    const full = applyBaseline(report, baseline(entry(never), entry('gone')), today);
    expect(full.unmatched.map(({ requirement }) => requirement)).toEqual([never, 'gone']);
    expect(full.ok).toBe(false);
    const selected = { ...report, scope: { ...report.scope, selection: { suites: ['errors'] } } };
    const stopped = { ...report, run: { ...report.run, partial: true } };
    const smoke = { ...report, scope: { ...report.scope, profile: 'smoke' as const } };
    const cheaper = { ...report, scope: { ...report.scope, skipCostly: true } };
    for (const part of [selected, stopped, smoke, cheaper])
      expect(applyBaseline(part, baseline(entry(never)), today)).toMatchObject({ unmatched: [], ok: true });
  });

  test('a requirement that can never fail is unmatched', () => {
    const open = sampleReport().requirements.find(({ level }) => level === 'unspecified')?.id ?? '';
    const outcome = applyBaseline(conformantReport(), baseline(entry(open)), today);
    expect(outcome.unmatched).toHaveLength(1);
  });

  test('an entry that could not be decided is neither stale nor a failure', () => {
    const outcome = applyBaseline(
      sampleReport(),
      baseline(...failedIds.map((id) => entry(id)), entry('responses.result.4.0')),
      today,
    );
    expect(outcome.undecided.map(({ requirement }) => requirement)).toEqual(['responses.result.4.0']);
    expect(outcome.ok).toBe(true);
  });

  test('a pass in a profile that leaves out what can fail does not make an entry stale', () => {
    const { scope, ...report } = conformantReport();
    const stale = (depth: Depth) =>
      applyBaseline({ ...report, scope: { ...scope, ...depth } }, baseline(entry(one)), today).stale.length;
    expect(stale({ profile: 'smoke', skipCostly: false })).toBe(0);
    expect(stale({ profile: 'standard', skipCostly: true })).toBe(0);
    expect(stale({ profile: 'standard', skipCostly: false })).toBe(1);
  });

  test('a pass of some families does not make an entry stale', () => {
    const report = conformantReport();
    const part = { ...report, scope: { ...report.scope, selection: { families: ['general'] } } };
    expect(applyBaseline(part, baseline(entry(one)), today)).toMatchObject({ stale: [], ok: true });
  });
});

describe('an entry narrowed to a cell', () => {
  const plain = entry(one, { cell: cellOf(false) });

  test('covers that cell alone', () => {
    expect(applyBaseline(twoCells('fail', 'pass'), baseline(plain), today).ok).toBe(true);
    const both = applyBaseline(twoCells('fail', 'fail'), baseline(plain), today);
    expect(both.newFailures.map(({ cell }) => cell)).toEqual([cellOf(true)]);
    expect(both.expected).toHaveLength(1);
  });

  test('is stale where that cell passes, though another fails', () => {
    const outcome = applyBaseline(twoCells('pass', 'fail'), baseline(plain), today);
    expect(outcome.stale).toEqual([plain]);
    expect(outcome.newFailures).toHaveLength(1);
  });

  test('is unmatched where nothing was judged in that cell', () => {
    const elsewhere = entry(one, { cell: { ...cellOf(false), group: 'coding-tool' } });
    expect(applyBaseline(twoCells('pass', 'pass'), baseline(elsewhere), today).unmatched).toEqual([
      elsewhere,
    ]);
  });
});

describe('an update', () => {
  const update = (report: Report, ...entries: BaselineEntry[]) => {
    const held = baseline(...entries);
    return planUpdate(report, held, applyBaseline(report, held, today), today);
  };

  test('drops what is stale, keeps what still fails, and adds what is new with 90 days', () => {
    const edit = update(twoCells('fail', 'fail'), entry('gone'), entry('chat.result.2.0'));
    expect(edit).toEqual({
      drop: [0, 1],
      add: [{ requirement: one, reason: 'TODO: say why', expires: '2027-02-19' }],
    });
    expect(update(twoCells('fail', 'fail'), entry(one))).toEqual({ drop: [], add: [] });
  });

  test('writes an entry as narrow as the failure is', () => {
    expect(update(twoCells('fail', 'pass')).add).toMatchObject([{ requirement: one, cell: cellOf(false) }]);
    const beside = update(twoCells('fail', 'fail'), entry(one, { cell: cellOf(false) }));
    expect(beside.add).toMatchObject([{ requirement: one, cell: cellOf(true) }]);
  });

  test('leaves the date of an expired entry to a person', () => {
    expect(update(twoCells('fail', 'fail'), entry(one, { expires: '2026-01-01' }))).toEqual({
      drop: [],
      add: [],
    });
  });
});

describe('what is said', () => {
  const outcome = applyBaseline(
    sampleReport(),
    baseline(entry(one, { reason: hostile, owner: hostile }), entry('chat.result.2.0', { line: 9 })),
    today,
  );

  test('carries hostile text without being steered by it', () => {
    const text = terminalOf(baselineSection(outcome)).join('\n');
    expect(text).not.toMatch(/[^\P{Cc}\n]|[\u202a-\u202e]/u);
    expect(text).not.toMatch(/^\s*(::|##)/m);
    expect(markdownOf(baselineSection(outcome))).not.toMatch(/<(img|svg|script)|@everyone|[^\\]\[link\]/);
  });
});
