import { expect, test } from 'vitest';
import type { Report } from '../../suites/types/report.ts';
import { renderMarkdown } from './document.ts';
import { conformantReport, unreachableReport, hostileReport, sampleReport } from '../sample.fixture.ts';
import { hostile } from '../sample.wire.fixture.ts';

/** The document without fenced blocks. */
function prose(markdown: string): string[] {
  let fence = '';
  return markdown.split('\n').filter((line) => {
    const run = /^`{3,}/.exec(line)?.[0] ?? '';
    if (fence === '' && run !== '') fence = run;
    else if (fence !== '' && line === fence) fence = '';
    else return fence === '';
    return false;
  });
}

/** A line without its code: spans as CommonMark finds them, and elements that hold no mark. */
const uncoded = (line: string): string =>
  line
    .replace(/(?<![\\`])(`+)(?!`)(.*?)(?<!`)\1(?!`)/g, '')
    .replace(/<code>(?:[\w\s]|[^!-~]|&#\d+;)*<\/code>/g, '')
    .replace(/^<details><summary>|<\/summary>$|^<\/details>$/g, '');

const headings =
  /^#{1,3} ([✕?–≠] )?(Not|What decided|Contradictions of|Commands to|Summary|Inconclusive|Untested|Support matrix|Observed behaviour)/;

/** Code is written in two ways; a backslash before a pipe decides which. */
const hostiles: readonly (readonly [string, Report])[] = [
  ['as elements', hostileReport()],
  ['as spans', JSON.parse(JSON.stringify(hostileReport()).replaceAll('\\\\|', '|')) as Report],
];

test.each(hostiles)('a hostile target opens no tag, heading, link or mention, with code %s', (_, report) => {
  for (const line of prose(renderMarkdown(report))) {
    expect(uncoded(line).replace(/^> /, '')).not.toMatch(/[<>]|(?<!\\)\[|@[A-Za-z]|(?<!\\)\*\*bold|:\/\//);
    if (line.startsWith('#')) expect(line).toMatch(headings);
  }
});

test.each(hostiles)('every row of a table has as many cells as its head, with code %s', (_, report) => {
  let cells = 0;
  for (const line of prose(renderMarkdown(report))) {
    const pipes = line.startsWith('|') ? line.replace(/\\./g, '').split('|').length - 1 : 0;
    if (cells > 0 && pipes > 0) expect(pipes, line).toBe(cells);
    cells = pipes;
  }
});

test('a summary says verdict, counts, failures with commands, conflicts and what was not tested', () => {
  const markdown = renderMarkdown(sampleReport());
  expect(markdown).toMatch(/^# ✕ Not conformant: Acme gateway 2.3\n/);
  for (const part of [
    '114 of 120 stated and derived requirements were judged; 9 failed, 4 are undecided, 2 untested.',
    ' stated, section 2.5 | ',
    'curl -sS -X POST',
    '**follows reading A**',
    '## – Untested: ',
    '✕ served (must refuse)',
    '## Observed behaviour that the interface does not specify',
  ]) {
    expect(markdown).toContain(part);
  }
});

test('a summary that would be too long is cut, and says what is missing', () => {
  const report: Report = sampleReport();
  const many = {
    ...report,
    observations: Array.from({ length: 400 }, (_, at) => ({
      ...(report.observations[0] ?? never()),
      id: `o${at}`,
      value: hostile,
    })),
  };
  const markdown = renderMarkdown(many);
  expect(Buffer.byteLength(markdown)).toBeLessThan(60_000);
  expect(markdown).toContain('> This summary is cut at 60 KB. Omitted, in whole or in part: Observations.');
  expect(renderMarkdown(report)).not.toContain('is cut at');
});

test('all reports stay below 60 KB and are the same each time', () => {
  for (const make of [sampleReport, hostileReport, conformantReport, unreachableReport]) {
    expect(Buffer.byteLength(renderMarkdown(make()))).toBeLessThan(60_000);
    expect(renderMarkdown(make())).toBe(renderMarkdown(make()));
  }
});

function never(): never {
  throw new Error('the fixture has observations');
}
