import { shorten } from '../../spec/text.ts';
import { isCommand, jsonEscape, markdownCode, markdownText, terminalLine } from '../escape.ts';
import { cellText, table } from '../markdown-parts.ts';
import { overallWord, utcTime, verdictSign } from '../wording.ts';
import type { ReportDiff, Side } from './report-diff.ts';
import { type DiffSection, presentDiff, type Row } from './view.ts';

/** The most rows of a section. */
const mostRows = 200;

const line = (text: string): string => terminalLine(shorten(text, 400));

const sideText = (name: string, { target, run, verdict }: Side): string =>
  `  ${name}  ${line(target.name)}, ${overallWord[verdict].toLowerCase()}, ${line(utcTime(run.startedAt))}, run ${line(run.id)}`;

/** The line with a mark before its first word where a CI runner would obey it. */
const withoutCommand = (text: string): string => (isCommand(text) ? text.replace(/^\s*/, '$&·') : text);

function rowText({ id, section, what, before, after, note }: Row): string[] {
  return [
    `  ${line(id)}${section === '' ? '' : ` (section ${line(section)})`}: ${line(before)} → ${line(after)}`,
    `      ${line(what)}`,
    ...(note === undefined ? [] : [`      ${line(note)}`]),
  ].map(withoutCommand);
}

/** The diff as plain text for a terminal. */
export function renderDiffText(diff: ReportDiff): string {
  const { tone, headline, notes, sections, before, after } = presentDiff(diff);
  const sectionText = ({ title, rows }: DiffSection) => [
    '',
    `${title} (${rows.length})`,
    ...rows.flatMap(rowText),
  ];
  return `${[
    `${verdictSign[tone]} ${headline}`,
    sideText('before', before),
    sideText('after ', after),
    ...notes.map((note) => `  ${terminalLine(shorten(note, 1_000))}`),
    ...sections.flatMap(sectionText),
  ].join('\n')}\n`;
}

const sideMarkdown = ({ target, suite, run, verdict }: Side): string[] => [
  `${markdownText(cellText(target.name))}: ${overallWord[verdict].toLowerCase()}`,
  markdownCode(cellText(target.baseUrl)),
  markdownText(utcTime(run.startedAt)),
  `${markdownText(suite.name)} ${markdownText(suite.version)}`,
];

function sectionMarkdown({ title, rows }: DiffSection): string {
  const shown = rows
    .slice(0, mostRows)
    .map(({ id, section, what, before, after, note }) => [
      `${markdownText(cellText(what))} ${markdownCode(cellText(id))}${note === undefined ? '' : `<br>${markdownText(cellText(note))}`}`,
      markdownText(section),
      markdownText(cellText(before)),
      markdownText(cellText(after)),
    ]);
  const rest = rows.length > mostRows ? `\n\nand ${rows.length - mostRows} more.` : '';
  return `## ${title} (${rows.length})\n\n${table(['What', 'Section', 'Before', 'After'], shown)}${rest}`;
}

/** The diff as Markdown for a pull request. */
export function renderDiffMarkdown(diff: ReportDiff): string {
  const { tone, headline, notes, sections, before, after } = presentDiff(diff);
  const sides = [
    ['Before', ...sideMarkdown(before)],
    ['After', ...sideMarkdown(after)],
  ];
  return `${[
    `# ${verdictSign[tone]} ${headline}`,
    table(['', 'Target', 'Address', 'When', 'Suite'], sides),
    ...notes.map((note) => `> ${markdownText(shorten(note, 1_000))}`),
    ...sections.map(sectionMarkdown),
  ].join('\n\n')}\n`;
}

/** The diff as JSON: a `ReportDiff`, indented, in ASCII: it may be printed on a terminal. */
export const renderDiffJson = (diff: ReportDiff): string =>
  `${JSON.stringify(diff, null, 2).replace(/[\u007f-\uffff]/g, jsonEscape)}\n`;
