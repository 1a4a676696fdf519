import { describe, expect, test } from 'vitest';
import type { Report, ReportRequirement, Verdict } from '../../suites/types/report.ts';
import { hostileReport, conformantReport, sampleReport } from '../sample.fixture.ts';
import { hostile } from '../sample.wire.fixture.ts';
import { diffReports } from './diff.ts';
import { renderDiffHtml, renderDiffJson, renderDiffMarkdown, renderDiffText } from './document.ts';

/** The report with one requirement changed. */
const withRow = (report: Report, id: string, change: Partial<ReportRequirement>): Report => ({
  ...report,
  requirements: report.requirements.map((row) => (row.id === id ? { ...row, ...change } : row)),
});

const withVerdict = (report: Report, id: string, verdict: Verdict): Report =>
  withRow(report, id, { verdict });

/** Every answer of a path takes this long. */
const withLatency = (report: Report, path: string, endMs: number): Report => ({
  ...report,
  exchanges: report.exchanges.map((exchange) =>
    exchange.request.url.endsWith(path)
      ? { ...exchange, timing: { ...exchange.timing, endMs }, ending: { kind: 'complete' } }
      : exchange,
  ),
});

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

  test('regressions come before improvements, and those before the rest', () => {
    const diff = diffReports(sampleReport(), withVerdict(conformantReport(), stated, 'fail'));
    const order = diff.changes.map(({ kind }) => ['regression', 'improvement', 'other'].indexOf(kind));
    expect(order).toEqual([...order].sort());
    expect(diff.changes[0]?.id).toBe(stated);
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

  test('a new requirement that fails is told, not counted, and both digests are named', () => {
    const earlier = conformantReport();
    const later = {
      ...withVerdict(earlier, stated, 'fail'),
      suite: { ...earlier.suite, version: '0.2.0', requirementsDigest: 'sha256:new' },
    };
    const before = { ...earlier, requirements: earlier.requirements.filter(({ id }) => id !== stated) };
    const diff = diffReports(before, later);
    expect(diff).toMatchObject({ suiteChanged: true, regressed: false, same: false });
    expect(diff.appeared.map(({ id, verdict }) => [id, verdict])).toEqual([[stated, 'fail']]);
    const text = renderDiffText(diff);
    expect(text.replace(/\s+/g, ' ')).toContain(
      `requirements ${earlier.suite.requirementsDigest} → sha256:new`,
    );
    expect(text).toContain('version 0.1.0 → 0.2.0');
    expect(text).toContain('1 new requirement failed.');
    expect(diffReports(later, before).vanished.map(({ id }) => id)).toEqual([stated]);
  });

  test('observations that drift, appear and vanish are told by their id', () => {
    const [first, second, third, ...rest] = sampleReport().observations;
    if (!first || !second || !third) throw new Error('the fixture has observations');
    const before = { ...sampleReport(), observations: [first, second, ...rest] };
    const after = { ...sampleReport(), observations: [{ ...first, value: '403' }, third, ...rest] };
    const { drift, regressed, same } = diffReports(before, after);
    expect(drift.changed).toEqual([
      { id: first.id, section: first.section, subject: first.subject, before: '401', after: '403' },
    ]);
    expect(drift.appeared.map(({ id }) => id)).toEqual([third.id]);
    expect(drift.vanished.map(({ id }) => id)).toEqual([second.id]);
    expect({ regressed, same }).toEqual({ regressed: false, same: false });
  });

  test('a conflict read in another way and a cell that is served now are told', () => {
    const report = sampleReport();
    const after: Report = {
      ...report,
      conflicts: report.conflicts.map((row) => ({ ...row, follows: 'B' })),
      matrix: report.matrix.map((cell, at) => (at === 0 ? { ...cell, observed: 'unknown' } : cell)),
    };
    const diff = diffReports(report, after);
    expect(diff.conflicts).toEqual([{ id: 'conflict.conversational-on-chat', before: 'A', after: 'B' }]);
    expect(diff.cells.map(({ before, after: now }) => [before, now])).toEqual([
      [report.matrix[0]?.observed, 'unknown'],
    ]);
    expect(renderDiffText(diff)).toContain('conflict.conversational-on-chat\n    before A, after B');
  });

  test('latency of another class is told and is no regression; within a class it is noise', () => {
    const path = '/v1/chat/completions';
    const at = (ms: number) => withLatency(sampleReport(), path, ms);
    expect(diffReports(at(320), at(960)).latency).toEqual([]);
    const diff = diffReports(at(320), at(4_000));
    expect(diff.latency).toMatchObject([
      {
        protocol: 'chat',
        before: { medianMs: 320, class: '0.3 to 1 s' },
        after: { medianMs: 4_000, class: '3 to 10 s' },
      },
    ]);
    expect(diff).toMatchObject({ regressed: false, same: false });
    expect(renderDiffMarkdown(diff)).toContain('never a regression');
  });

  test('a narrower scope is named as a reason for what is gone', () => {
    const report = sampleReport();
    const after = { ...report, scope: { ...report.scope, families: ['general' as const] } };
    expect(diffReports(report, after)).toMatchObject({ scopeChanged: true, same: false });
    expect(renderDiffText(diffReports(report, after))).toContain('The scope changed');
  });
});

describe('text of a target', () => {
  const diff = diffReports(sampleReport(), {
    ...withRow(hostileReport(), stated, { verdict: 'fail', reason: hostile }),
    observations: sampleReport().observations.map((row) => ({ ...row, subject: hostile, value: hostile })),
  });

  test('does not steer a terminal, and begins no line with a command', () => {
    const text = renderDiffText(diff);
    expect(text).not.toMatch(/[^\P{Cc}\n]|[\u202a-\u202e]/u);
    expect(text).not.toMatch(/^\s*(::|##)/m);
  });

  test('is no markup in HTML and no mention, link or cell in Markdown', () => {
    const markup = renderDiffHtml(diff);
    expect(markup).not.toMatch(/<(script|img|svg|iframe|link)\b/);
    expect(markup).toContain('script-src &#39;none&#39;');
    const lines = renderDiffMarkdown(diff).split('\n');
    expect(lines.join('\n')).not.toMatch(/<(img|svg|script)|@everyone|[^\\]\[link\]/);
    for (const row of lines.filter((one) => one.startsWith('| ') && one.includes(stated)))
      expect(row.replaceAll('\\|', '').split('|')).toHaveLength(6);
  });

  test('the same pair gives the same documents', () => {
    for (const render of [renderDiffText, renderDiffMarkdown, renderDiffHtml, renderDiffJson])
      expect(render(diff)).toBe(render(diff));
  });
});
