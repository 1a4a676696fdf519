import { expect, test } from 'vitest';
import type { Impact } from '../spec/vocabulary.ts';
import type { Report, ReportCase, ReportRequirement } from '../suites/types/report.ts';
import { renderAnnotations } from './annotations.ts';
import { renderBadge } from './badge.ts';
import { coverageOf } from './certificate/coverage.ts';
import { compareReports } from './compare/compare.ts';
import { renderComparisonHtml, renderComparisonMarkdown } from './compare/document.ts';
import { diffReports } from './diff/diff.ts';
import { renderDiffText } from './diff/document.ts';
import { emptyReport, impactRow } from './empty-report.fixture.ts';
import { renderHtml, renderMarkdown, renderSummary } from './run/document.ts';
import { renderJunit } from './junit.ts';
import { renderSarif } from './sarif/sarif.ts';
import { smallReport } from './small.fixture.ts';

const failure = (id: string, impact: Impact): ReportRequirement =>
  impactRow(impact, 'fail', { id, statement: `Statement ${id}.`, cases: [id] });

/** In the order of the register, which is that of no rendering. */
const rows = [
  failure('x.lenient', 'lenient'),
  failure('x.credential', 'credential'),
  { ...failure('x.derived', 'client'), level: 'derived' as const },
  failure('x.client', 'client'),
];
const ordered = ['x.credential', 'x.client', 'x.derived', 'x.lenient'];

function caseOf(requirements: readonly string[], failed: readonly string[]): ReportCase {
  const [one] = smallReport().cases;
  const [found] = one?.findings ?? [];
  if (one === undefined || found === undefined) throw new Error('the fixture has a case with a finding');
  const findings = failed.map((requirement) => ({ ...found, requirement, verdict: 'fail' as const }));
  return { ...one, id: requirements.join(), requirements, findings, verdict: 'fail' };
}

const broken = (): Report => ({
  ...emptyReport(),
  verdict: 'non-conformant',
  requirements: rows,
  cases: rows.map(({ id }) => caseOf([id], [id])),
});

const kept = (): Report => ({
  ...broken(),
  verdict: 'conformant',
  requirements: rows.map((row) => ({ ...row, verdict: 'pass' })),
});

/** The ids in the order in which a text first names them. */
const orderIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/x\.(?:client|derived|credential|lenient)/g)].map(([id]) => id)),
];

test.each<[string, (report: Report) => string]>([
  ['the terminal', (report) => renderSummary(report, { colour: false })],
  ['Markdown', (report) => renderMarkdown(report)],
  ['annotations', (report) => renderAnnotations(report)],
  ['HTML, the deciding list', (report) => renderHtml(report).split('id="part-decisive"')[1] ?? ''],
  ['SARIF', (report) => renderSarif(report).split('"results":')[1] ?? ''],
  ['a diff', (report) => renderDiffText(diffReports(kept(), report)).split('Regressions')[1] ?? ''],
])('failures stand by impact, then level: %s', (_, render) => {
  expect(orderIn(render(broken()))).toEqual(ordered);
});

test.each<[string, (report: Report) => string, readonly string[]]>([
  [
    'the terminal',
    (report) => renderSummary(report, { colour: false, width: 300 }),
    [
      '1 failure gives a caller what it should not have; 2 requirements that conforming clients rely on fail; 1 kind of request is answered that should be refused. 4 of 4',
      'x.credential stated, credential, section 4',
      'x.derived derived, client, section 4',
    ],
  ],
  [
    'Markdown',
    (report) => renderMarkdown(report),
    ['derived, client, section 4', 'stated, lenient, section 4'],
  ],
  [
    'annotations',
    (report) => renderAnnotations(report),
    ['::error title=x.lenient (lenient%2C section 4)::'],
  ],
  [
    'HTML',
    (report) => renderHtml(report),
    [
      '<span>stated, lenient</span> <span>section 4</span>',
      '<b>Impact:</b> credential. Someone gets in, or pays, who should not.',
    ],
  ],
  ['a badge', (report) => renderBadge(report), ['4 failed of 4 · 1 credential, 2 client</']],
  [
    'a diff',
    (report) => renderDiffText(diffReports(kept(), report)),
    ['4 regressions (1 credential, 2 client, 1 lenient)', 'Statement x.lenient. (stated, lenient)'],
  ],
  [
    'a comparison in Markdown',
    (report) => renderComparisonMarkdown(compareReports([kept(), report])),
    ['| 4 (1 credential, 2 client, 1 lenient) |', 'Statement x.derived. (derived, client)'],
  ],
  [
    'a comparison in HTML',
    (report) => renderComparisonHtml(compareReports([kept(), report])),
    ['<td>0</td>', '<td>4 (1 credential, 2 client, 1 lenient)</td>'],
  ],
])('impacts are told: %s', (_, render, words) => {
  const text = render(broken());
  for (const part of words) expect(text).toContain(part);
});

test('a result of SARIF ranks by impact, and its rule is tagged with it', () => {
  const { runs } = JSON.parse(renderSarif(broken())) as {
    runs: {
      results: { ruleId: string; rank: number; properties: object }[];
      tool: { driver: { rules: { properties: { tags: string[] } }[] } };
    }[];
  };
  const results = runs[0]?.results ?? [];
  expect(results.map(({ rank }) => rank)).toEqual([90, 60, 60, 30]);
  expect(results[3]?.properties).toMatchObject({ impact: 'lenient' });
  const tags = runs[0]?.tool.driver.rules.map((rule) => rule.properties.tags[1]);
  expect(tags).toEqual(['impact lenient', 'impact credential', 'impact client', 'impact client']);
});

test('a case in JUnit has the impacts of what failed in it, or else of all that it judges', () => {
  const all = rows.map(({ id }) => id);
  const impactsIn = (failed: readonly string[]): string[] => {
    const xml = renderJunit({ ...broken(), cases: [caseOf(all, failed)] });
    return [...xml.matchAll(/<property name="impact" value="(\w+)"\/>/g)].map(([, value = '']) => value);
  };
  expect(impactsIn(['x.lenient'])).toEqual(['lenient']);
  expect(impactsIn([])).toEqual(['credential', 'client', 'lenient']);
});

test('a diff as data has the impact of each change, and a certificate of what it does not cover', () => {
  expect(diffReports(kept(), broken()).changes.map(({ impact }) => impact)).toEqual([
    'credential',
    'client',
    'client',
    'lenient',
  ]);
  const untested = {
    ...failure('x.credential', 'credential'),
    verdict: 'untested' as const,
    reason: 'no token',
  };
  expect(coverageOf({ requirements: [untested] }).notCovered).toEqual([
    { requirement: 'x.credential', impact: 'credential', reason: 'no token' },
  ]);
});
