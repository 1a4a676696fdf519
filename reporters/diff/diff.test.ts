import { describe, expect, test } from 'vitest';
import type { Report, Verdict } from '../../suites/types/report.ts';
import { smallReport, withRow } from '../small.fixture.ts';
import { diffReports } from './diff.ts';
import { renderDiffHtml, renderDiffJson, renderDiffMarkdown, renderDiffText } from './document.ts';
import { laterReport } from './pair.fixture.ts';
import { conformantReport, sampleReport } from '../sample.fixture.ts';

const asks = (report: Report, selection: Report['scope']['selection']): Report => ({
  ...report,
  scope: { ...report.scope, selection },
});

describe('the headline', () => {
  const lines = (a: Report, b: Report): string[] => renderDiffText(diffReports(a, b)).split('\n');

  test('of a run without regression is not red, and green for a conformant one only', () => {
    const early = smallReport();
    const better = withRow(early, 'chat.result.usage.total-tokens', { verdict: 'pass' });
    const still = lines(early, better).slice(0, 2);
    expect(still).toEqual(['○ No regression, 1 improvement  Acme', '  Verdict still not conformant.']);
    const kept = lines(early, { ...better, verdict: 'conformant' }).slice(0, 2);
    expect(kept).toEqual(['✓ No regression, 1 improvement  Acme', '  Verdict: not conformant → conformant.']);
  });

  test('tells a verdict that changed though no requirement did', () => {
    const early = smallReport();
    const first = lines(early, { ...early, verdict: 'inconclusive' }).slice(0, 2);
    expect(first).toEqual([
      '○ No regression, 0 improvements  Acme',
      '  Verdict: not conformant → inconclusive.',
    ]);
  });

  test('is followed by how many new requirements failed, and nothing of those that did not', () => {
    const later = laterReport();
    const fresh = later.requirements.filter(({ id }) => id !== 'chat.result.id');
    const linesFor = (verdict: 'fail' | 'pass') =>
      lines(
        { ...later, requirements: [] },
        { ...later, requirements: fresh.map((row) => ({ ...row, verdict })) },
      );
    expect(linesFor('fail')).toContain(
      '  7 new requirements failed. The earlier report does not have them, so they are no regression.',
    );
    expect(linesFor('pass').join()).not.toContain('no regression.');
  });
});

describe('the scope', () => {
  const changed = (a: Report['scope']['selection'], b: Report['scope']['selection']): boolean =>
    diffReports(asks(smallReport(), a), asks(smallReport(), b)).scopeChanged;

  test('is the same whatever the order of its axes, and with an axis that selects nothing', () => {
    expect(
      changed({ suites: ['errors'], families: ['image'] }, { families: ['image'], suites: ['errors'] }),
    ).toBe(false);
    expect(changed({ suites: [] }, {})).toBe(false);
  });

  test('is another one with another profile, which is named', () => {
    const { scope, ...rest } = smallReport();
    const cheaper: Report = { ...rest, scope: { ...scope, profile: 'standard', skipCostly: true } };
    const diff = diffReports(smallReport(), cheaper);
    expect(diff.scopeChanged).toBe(true);
    expect(diff.same).toBe(false);
    expect(renderDiffMarkdown(diff)).toContain(
      'Not as much was asked of both: profile full → profile standard, without n = 10 and quality = hd. What only one was asked is no change of the target.',
    );
  });

  test('is another one with another selection', () => {
    expect(changed({ suites: ['errors'] }, { suites: ['results'] })).toBe(true);
    expect(changed({ suites: ['errors'] }, {})).toBe(true);
  });
});

test('what one report alone has of conflicts and cells is no change', () => {
  const [early, later] = [smallReport(), laterReport()];
  const bare = { ...later, conflicts: [], matrix: [] };
  for (const [a, b] of [
    [bare, early],
    [early, bare],
  ] as const)
    expect(diffReports(a, b)).toMatchObject({ conflicts: [], cells: [] });
});

test('what one id saw several times stands together', () => {
  const early = smallReport();
  const [row] = early.observations;
  if (row === undefined) throw new Error('the fixture has observations');
  const twice = (value: string) => ({ ...early, observations: [row, { ...row, value }] });
  expect(diffReports(twice('403'), twice('500')).drift.changed).toMatchObject([
    { before: '401; 403', after: '401; 500' },
  ]);
});

test('a section of a Markdown summary shows 1,000 rows and counts the rest', () => {
  const early = smallReport();
  const [row] = early.observations;
  if (row === undefined) throw new Error('the fixture has observations');
  const many = (length: number) => ({
    ...early,
    observations: Array.from({ length }, (_, at) => ({ ...row, id: `o${at}` })),
  });
  const markdown = (length: number) =>
    renderDiffMarkdown(diffReports({ ...early, observations: [] }, many(length)));
  expect(markdown(1_000)).toContain('`o999`');
  expect(markdown(1_000)).not.toContain('more.');
  expect(markdown(1_003)).not.toContain('`o1000`');
  expect(markdown(1_003)).toMatch(/\n\nand 3 more\.\n$/);
});

test('text of a target begins no command of a runner, is cut in HTML, and is ASCII in JSON', () => {
  const early = smallReport();
  const reason = (text: string) =>
    diffReports(early, withRow(early, 'chat.result.id', { verdict: 'fail', reason: text }));
  expect(renderDiffText(reason(`${'x'.repeat(90)} ::error::x`))).toContain('\n  ·::error::x\n');
  expect(renderDiffText(reason('a ::b'))).toContain(' a ::b\n');
  expect(renderDiffHtml(reason('x'.repeat(600)))).toContain(`>${'x'.repeat(600)}<`);
  expect(renderDiffHtml(reason('x'.repeat(601)))).toContain(`>${'x'.repeat(600)}…<`);
  expect(renderDiffJson(reason('é\u009b'))).toContain('"reason": "\\u00e9\\u009b"');
});

const withVerdict = (report: Report, id: string, verdict: Verdict): Report =>
  withRow(report, id, { verdict });

const stated = 'chat.result.2.0';

describe('what counts as a regression', () => {
  test.each([
    ['pass', 'fail', 'regression'],
    ['untested', 'fail', 'regression'],
    ['inconclusive', 'fail', 'regression'],
    ['pass', 'inconclusive', 'regression'],
    ['fail', 'pass', 'improvement'],
    ['inconclusive', 'pass', 'improvement'],
    ['untested', 'pass', 'improvement'],
    ['fail', 'inconclusive', 'other'],
    ['pass', 'untested', 'other'],
  ] as const)('%s to %s is: %s', (before, after, kind) => {
    const report = conformantReport();
    const diff = diffReports(withVerdict(report, stated, before), withVerdict(report, stated, after));
    expect(diff.changes.map((change) => [change.id, change.kind])).toEqual([[stated, kind]]);
    expect(diff.regressed).toBe(kind === 'regression');
  });

  test('a pass that becomes non-gating is no regression, and a non-gating one that passes no improvement', () => {
    const report = conformantReport();
    const nonGating = withRow(report, stated, { verdict: 'inconclusive', nonGating: 'too-fast' });
    const diff = diffReports(withVerdict(report, stated, 'pass'), nonGating);
    expect(diff.changes.map(({ kind }) => kind)).toEqual(['other']);
    expect(diff.regressed).toBe(false);
    const back = diffReports(nonGating, withVerdict(report, stated, 'pass'));
    expect(back.changes.map(({ kind }) => kind)).toEqual(['other']);
  });

  test('nothing of an unspecified or conflicting level regresses', () => {
    const report = conformantReport();
    const open = report.requirements.find(({ level }) => level === 'unspecified')?.id ?? '';
    const diff = diffReports(report, withVerdict(report, open, 'fail'));
    expect(diff.changes.map(({ kind }) => kind)).toEqual(['other']);
    expect(diff.regressed).toBe(false);
  });
});

describe('what else is told', () => {
  test('an identical pair says plainly that nothing changed, in every format', () => {
    const later = { ...sampleReport(), run: { ...sampleReport().run, id: 'another', seed: 7 } };
    const diff = diffReports(sampleReport(), later);
    expect(diff).toMatchObject({ same: true, regressed: false, changes: [], latency: [] });
    for (const render of [renderDiffText, renderDiffMarkdown, renderDiffHtml])
      expect(render(diff)).toContain('Nothing changed');
    expect(JSON.parse(renderDiffJson(diff))).toMatchObject({ same: true });
  });
});
