import fc from 'fast-check';
import { expect, test } from 'vitest';
import { renderAnnotations } from '../../reporters/annotations.ts';
import { renderBadge, renderBadgeEndpoint } from '../../reporters/badge.ts';
import { compareReports } from '../../reporters/compare/compare.ts';
import { renderComparisonHtml, renderComparisonMarkdown } from '../../reporters/compare/document.ts';
import { renderCtrf } from '../../reporters/ctrf.ts';
import { diffReports } from '../../reporters/diff/diff.ts';
import { renderDiffHtml, renderDiffMarkdown, renderDiffText } from '../../reporters/diff/document.ts';
import { renderHtml, renderMarkdown, renderSummary } from '../../reporters/run/document.ts';
import { renderJunit } from '../../reporters/junit.ts';
import { sampleReport } from '../../reporters/sample.fixture.ts';
import { renderSarif } from '../../reporters/sarif/sarif.ts';
import { parseXml } from '../../reporters/well-formed.fixture.ts';
import type { Report } from '../../suites/types/report.ts';

/** Any UTF-16 unit, half of a pair or not, among marks and words that mean something to some format. */
const unit = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code));
const control = fc.integer({ min: 0, max: 0x9f }).map((code) => String.fromCharCode(code));
const mark = fc.constantFrom(...'<>&"\'`|\\[](){}#*_~!@$%:/=-\r\n\t'.split(''), '``', '\\|', '&lt', '&#60;');
const word = fc.constantFrom(
  ...['</script>', '<img src=x onerror=1>', '<!--', '-->', '--!>', ']]>', '<![CDATA[', '</pre>', '</td>'],
  ...[
    '\r\n::error::owned',
    '\u001b[2J',
    '\u001b]0;x\u0007',
    '\u202e',
    '\u2028',
    '[x](javascript:1)',
    '```\n',
  ],
  ...[
    '@everyone',
    'https://evil.test',
    '<svg/onload=1>',
    '\n# Conformant',
    '%0A',
    '\ud83d',
    '😀',
    'שלום',
    'e\u0301',
  ],
);
const text = fc.array(fc.oneof(unit, control, mark, word), { maxLength: 25 }).map((parts) => parts.join(''));

const small: Report = ((report) => ({
  ...report,
  requirements: report.requirements.filter((_, at) => at % 6 === 0),
  cases: report.cases.filter((_, at) => at % 12 === 0),
  exchanges: report.exchanges.filter((_, at) => at % 12 === 0),
}))(sampleReport());

/** A report of a target that says this wherever it can say anything. */
function saying(said: string): Report {
  const body = { text: said, encoding: 'utf8', bytes: Buffer.byteLength(said), arrivals: [[1, 2]] } as const;
  return {
    ...small,
    target: { ...small.target, name: said },
    reasons: [said],
    requirements: small.requirements.map((row) => ({ ...row, ...(row.reason ? { reason: said } : {}) })),
    cases: small.cases.map((outcome) => ({
      ...outcome,
      findings: outcome.findings.map((finding) => ({
        ...finding,
        ...(finding.pointer === undefined ? {} : { pointer: said }),
        message: said,
        expected: said,
        actual: said,
      })),
      ...(outcome.reproduce ? { reproduce: `curl ${said}` } : {}),
    })),
    observations: small.observations.map((row) => ({ ...row, value: said })),
    exchanges: small.exchanges.map((exchange) => ({
      ...exchange,
      ending: { ...exchange.ending, detail: said },
      response: exchange.response && { ...exchange.response, headers: [[said, said]], body },
      attempts: exchange.attempts.map((attempt) => ({ ...attempt, again: said })),
    })),
  };
}

const always = (check: (report: Report) => void, numRuns = 40): void =>
  fc.assert(
    fc.property(text, (said) => {
      check(saying(said));
    }),
    { numRuns },
  );

/** Nothing that a reader would obey instead of show, line feeds and tabs apart. */
const unseen = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;
function expectVisible(output: string): void {
  expect(unseen.exec(output.replace(/[\n\t]/g, ''))?.[0]).toBeUndefined();
}

const tagsOf = (markup: string): readonly string[] => [
  ...new Set([...markup.matchAll(/<[^>]*>?/g)].map(([tag]) => shapeOf(tag))),
];

/** A tag without the values of its attributes. */
const shapeOf = (tag: string): string => tag.replace(/="[^"]*"/g, '=""').replace(/\s+/g, ' ');

/** Without its own script and style, whose text is not markup; what is embedded there is looked at apart. */
const outside = (markup: string): string =>
  markup.replace(/<(script|style)[^>]*>[\s\S]*?<\/\1>/g, '<$1></$1>');

const benign = ['plain words', '{"a":[1,"x"]}', '', 'data: {"a":1}\n\ndata: [DONE]\n\n', 'two\nlines'];

/** Every tag with its attributes is one that the same page has of a harmless target. */
function expectOwnTags(render: (report: Report) => string, report: Report, known: ReadonlySet<string>): void {
  const markup = outside(render(report));
  expectVisible(markup);
  expect(tagsOf(markup).filter((tag) => !known.has(tag))).toEqual([]);
}
const knownTags = (render: (report: Report) => string): ReadonlySet<string> =>
  new Set(
    [...benign.map(saying), small, sampleReport()].flatMap((report) => tagsOf(outside(render(report)))),
  );

const pages: readonly (readonly [string, (report: Report) => string])[] = [
  ['the report', renderHtml],
  ['a comparison of two reports', (report) => renderDiffHtml(diffReports(small, report))],
  ['a comparison of targets', (report) => renderComparisonHtml(compareReports([small, report]))],
];

test.each(pages)('%s as HTML has only its own tags, whatever the target says', (_, render) => {
  const known = knownTags(render);
  always((report) => expectOwnTags(render, report, known));
});

test('what HTML embeds for machines ends no element and can be read again', () => {
  always((report) => {
    for (const [, open = '', inside = ''] of renderHtml(report).matchAll(
      /<script([^>]*)>([\s\S]*?)<\/script>/g,
    )) {
      expect(inside).not.toMatch(/<\/script|<!--/i);
      if (open.includes('json')) expect(() => JSON.parse(inside) as unknown).not.toThrow();
    }
  });
});

test('JUnit is well-formed, with every case in its place', () => {
  always((report) => {
    const document = renderJunit(report);
    expectVisible(document);
    expect(parseXml(document).children.flatMap(({ children }) => children)).toHaveLength(report.cases.length);
  });
});

const documents: readonly (readonly [string, (report: Report) => string])[] = [
  ['the report', renderMarkdown],
  ['a comparison of two reports', (report) => renderDiffMarkdown(diffReports(small, report))],
  ['a comparison of targets', (report) => renderComparisonMarkdown(compareReports([small, report]))],
];

/** Lines outside of fenced blocks, without code. */
function prose(markdown: string): string[] {
  let fence = '';
  const lines = markdown.split('\n').filter((line) => {
    const run = /^`{3,}/.exec(line)?.[0] ?? '';
    if (fence === '' && run !== '') fence = run;
    else if (fence !== '' && line === fence) fence = '';
    else return fence === '';
    return false;
  });
  return lines.map((line) =>
    line
      .replace(/(?<![\\`])(`+)(?!`)(.*?)(?<!`)\1(?!`)/g, '')
      .replace(/<code>(?:[\w\s]|[^!-~]|&#\d+;)*<\/code>/g, '')
      .replace(/<\/?(?:details|summary)>|<br>/g, ''),
  );
}

test.each(documents)('%s as Markdown opens no tag, link, mention or heading of the target', (_, render) => {
  const own = new Set(
    benign
      .flatMap((said) => prose(render(saying(said))))
      .filter((line) => line.startsWith('#'))
      .map((line) => line.slice(0, 8)),
  );
  always((report) => {
    const markdown = render(report);
    expectVisible(markdown);
    for (const line of prose(markdown)) {
      expect(line.replace(/^> /, '')).not.toMatch(/[<>]|(?<!\\)(?:\\\\)*\]\(|@[A-Za-z]|:\/\//);
      if (line.startsWith('#')) expect([...own]).toContain(line.slice(0, 8));
    }
  });
});

const terminals: readonly (readonly [string, (report: Report) => string])[] = [
  ['the summary', (report) => renderSummary(report, { colour: false })],
  ['a comparison', (report) => renderDiffText(diffReports(small, report))],
];

test.each(terminals)('%s on a terminal steers nothing', (_, render) => {
  always((report) => expectVisible(render(report)));
});

test('annotations are one command a line, and each is ours', () => {
  always((report) => {
    for (const line of renderAnnotations(report).split('\n').slice(0, -1)) {
      expect(line).toMatch(/^::(?:error|warning|notice) title=[^:,]*::/);
      expectVisible(line);
    }
  });
});

test('SARIF, CTRF and the badge are documents of their kind', () => {
  always((report) => {
    for (const render of [renderSarif, renderCtrf, renderBadgeEndpoint])
      expect(() => JSON.parse(render(report)) as unknown).not.toThrow();
    expect(parseXml(renderBadge(report)).name).toBe('svg');
  });
});
