import { describe, expect, test } from 'vitest';
import type { Report } from '../../suites/types/report.ts';
import { conformantReport, hostileReport, sampleReport } from '../sample.fixture.ts';
import { compareReports } from './compare.ts';
import { renderComparisonHtml, renderComparisonMarkdown } from './document.ts';

const named = (report: Report, name: string): Report => ({ ...report, target: { ...report.target, name } });
const drifted = (): Report => {
  const report = conformantReport();
  return {
    ...report,
    observations: report.observations.map((row, at) => (at === 0 ? { ...row, value: '403' } : row)),
  };
};
const three = () => [
  named(sampleReport(), 'Acme 1'),
  named(conformantReport(), 'Acme 2'),
  named(drifted(), 'Acme 3'),
];

test('a row for each requirement and observation, a column for each report', () => {
  const comparison = compareReports(three());
  expect(comparison.targets.map(({ label, verdict, failed }) => [label, verdict, failed])).toEqual([
    ['Acme 1', 'non-conformant', 9],
    ['Acme 2', 'conformant', 0],
    ['Acme 3', 'conformant', 0],
  ]);
  expect(comparison.requirements).toHaveLength(150);
  const failed = comparison.requirements.find(({ id }) => id === 'chat.result.0.0');
  expect(failed).toMatchObject({ values: ['fail', 'pass', 'pass'], differs: true });
  expect(comparison.observations.filter(({ differs }) => differs)).toMatchObject([
    { values: ['401', '401', '403'] },
  ]);
});

test('rows that differ come first, and those without a difference are folded', () => {
  const markup = renderComparisonHtml(compareReports(three()));
  const fold = markup.indexOf('<details class="fold">');
  expect(markup.indexOf('<code>chat.result.0.0</code>')).toBeLessThan(fold);
  expect(markup.indexOf('<code>chat.result.2.0</code>')).toBeGreaterThan(fold);
  expect(markup).not.toContain('<details class="fold" open');
});

test('the same report twice differs nowhere', () => {
  const comparison = compareReports([sampleReport(), sampleReport()]);
  const rows = [
    comparison.requirements,
    comparison.observations,
    comparison.conflicts,
    comparison.cells,
  ].flat();
  expect(rows.length).toBeGreaterThan(200);
  expect(rows.filter(({ differs }) => differs)).toEqual([]);
  expect(renderComparisonMarkdown(comparison).match(/No row differs\./g)).toHaveLength(4);
});

test('reports of several profiles say which each has', () => {
  const [one, two, other] = three();
  if (!one || !two || !other) throw new Error('there are three');
  const smoke: Report = { ...two, scope: { ...two.scope, profile: 'smoke' } };
  const note =
    '- Not as much was asked of all, so what one leaves untested another may not. Acme 1: profile full; Acme 2: profile smoke.';
  expect(renderComparisonMarkdown(compareReports([one, two, other]))).not.toContain('Not as much');
  expect(renderComparisonMarkdown(compareReports([one, smoke]))).toContain(note);
});

test('a requirement that one suite does not have is a gap, and the suites are told apart', () => {
  const [one, other] = [sampleReport(), sampleReport()];
  const comparison = compareReports([
    one,
    {
      ...other,
      suite: { ...other.suite, requirementsDigest: 'sha256:0' },
      requirements: other.requirements.slice(1),
    },
  ]);
  expect(comparison.sameSuite).toBe(false);
  expect(comparison.requirements[0]).toMatchObject({ values: ['pass', null], differs: true });
  expect(renderComparisonMarkdown(comparison)).toContain('Not all reports were judged by the same suite');
});

test('reports of one target are told apart by date, and where that is the same by place', () => {
  const early = sampleReport();
  const late = { ...early, run: { ...early.run, startedAt: '2026-12-01T10:00:00.000Z' } };
  expect(compareReports([early, late, late]).targets.map(({ label }) => label)).toEqual([
    'Acme gateway 2.3, 2026-11-21 09:14:03 UTC',
    'Acme gateway 2.3, 2026-12-01 10:00:00 UTC (2)',
    'Acme gateway 2.3, 2026-12-01 10:00:00 UTC (3)',
  ]);
});

describe('text of a target', () => {
  const hostileOnes = compareReports([hostileReport(), sampleReport()]);

  test('is no markup in HTML', () => {
    const markup = renderComparisonHtml(hostileOnes);
    expect(markup).not.toMatch(/<(script|img|iframe|link)\b/);
    expect(markup.match(/<svg\b/g)).toHaveLength(1);
    expect(markup).toContain('script-src &#39;none&#39;');
  });

  test('keeps its cell in Markdown', () => {
    const text = renderComparisonMarkdown(hostileOnes);
    expect(text).not.toMatch(/<(img|svg|script)|@everyone|[^\\]\[link\]/);
    const rows = text.split('\n').filter((line) => line.startsWith('| ') && line.includes('observation.'));
    expect(rows).toHaveLength(28);
    for (const row of rows) expect(row.replaceAll('\\|', '').split('|')).toHaveLength(6);
  });
});
