import picocolors from 'picocolors';
import type { Report, ReportRequirement } from '../suites/model/report.ts';
import { type Decisive, decisiveOf } from './decisive.ts';
import { terminalBlock, terminalLine } from './escape.ts';
import { byReason, gates, headline, leftOut, sentAgain, withVerdict } from './report-queries.ts';
import { count, overallTone, overallWord, verdictSign, verdicts, verdictWord } from './wording.ts';

type Colours = ReturnType<typeof picocolors.createColors>;

export interface SummaryOptions {
  readonly colour: boolean;
  /** Columns of the terminal; 100 where it is not known. */
  readonly width?: number;
  /** Lines that stand before the files, ready for a terminal. */
  readonly beside?: string;
  /** Where the report was written; left out where it was not. */
  readonly files?: { readonly html: string; readonly json: string };
}

interface Page {
  readonly colours: Colours;
  readonly width: number;
}

const longest = 400;
/** What is told in full, and what is named after it. */
const [mostTold, mostNamed] = [8, 32];
/** Requirements that are named beside one that was left open by the same. */
const mostAlike = 6;

const inkOf = ({ red, yellow, green, magenta, cyan, dim }: Colours) => ({
  pass: green,
  fail: red,
  inconclusive: yellow,
  untested: dim,
  observed: cyan,
  conflict: magenta,
});

/** Words a CI runner would obey at the beginning of a line. */
const isCommand = (line: string): boolean => /^\s*(::|##)/.test(line);

/** The text on lines of the given width behind an indentation, its first line behind a label of that length. */
function wrap({ width }: Page, label: string, text: string): string[] {
  const clean = terminalLine(text.length > longest ? `${text.slice(0, longest)}…` : text);
  const indent = ' '.repeat(label.length);
  const room = Math.max(20, width - label.length);
  const lines: string[] = [];
  let line = '';
  for (const word of clean.split(' ')) {
    const next = line === '' ? word : `${line} ${word}`;
    if (next.length > room && line !== '') {
      lines.push(line);
      line = word;
    } else line = next;
  }
  return [...lines, line].map((one, at) => `${at === 0 ? label : indent}${isCommand(one) ? '·' : ''}${one}`);
}

function alikeLines(page: Page, alike: readonly ReportRequirement[]): string[] {
  if (alike.length === 0) return [];
  const names = alike.slice(0, mostAlike).map(({ id }) => id);
  const rest = alike.length - names.length;
  return wrap(page, '  likewise ', `${names.join(', ')}${rest > 0 ? `, and ${rest} more` : ''}`);
}

function failure(page: Page, { requirement, found, alike }: Decisive): string[] {
  const { colours } = page;
  const { statement, reason } = requirement;
  const finding = found?.finding;
  const lines = [title(page, requirement), ...wrap(page, '  ', statement)];
  const likewise = alikeLines(page, alike);
  if (finding === undefined)
    return [...lines, ...wrap(page, '  ', reason ?? 'no finding recorded'), ...likewise, ''];
  const pointer = finding.pointer === undefined ? '' : ` (at ${finding.pointer})`;
  const command = found?.case.reproduce;
  return [
    ...lines,
    ...(requirement.verdict === 'fail' ? [] : wrap(page, '  because  ', finding.message)),
    ...wrap(page, '  expected ', finding.expected),
    ...wrap(page, '  actual   ', `${finding.actual}${pointer}`),
    ...likewise,
    ...(command === undefined ? [] : [`  ${colours.dim('reproduce')}`, ...commandLines(command)]),
    '',
  ];
}

const title = ({ colours }: Page, { id, level, sections, verdict }: ReportRequirement): string =>
  `${inkOf(colours)[verdict](verdictSign[verdict])} ${colours.bold(terminalLine(id))} ${colours.dim(`${level}, section ${sections.join(', ')}`)}`;

/** The failures that are not told in full. */
function briefly(page: Page, requirements: readonly ReportRequirement[]): string[] {
  if (requirements.length === 0) return [];
  return [...requirements.flatMap((one) => [title(page, one), ...wrap(page, '  ', one.statement)]), ''];
}

/** A command keeps its own lines, so that it can be copied. */
const commandLines = (command: string): string[] =>
  terminalBlock(command)
    .split('\n')
    .map((line) => `    ${line}`);

function countLine({ colours }: Page, { summary }: Report): string {
  const ink = inkOf(colours);
  return verdicts
    .filter((verdict) => summary[verdict] > 0)
    .map((verdict) => ink[verdict](`${summary[verdict]} ${verdictWord[verdict].toLowerCase()}`))
    .join(', ');
}

function nonGatingLines(page: Page, report: Report): string[] {
  const rows = withVerdict(report, 'inconclusive').filter((requirement) => !gates(requirement));
  if (rows.length === 0) return [];
  const words = { 'model-behaviour': 'hung on the model', 'too-fast': 'too fast to time' };
  const lines = rows.map(
    ({ id, nonGating }) =>
      `  ${terminalLine(id)}: ${nonGating === undefined ? 'not a gating level' : words[nonGating]}`,
  );
  return [
    `${page.colours.yellow('?')} Tried, not decided, does not gate`,
    ...lines.slice(0, 8),
    ...more(lines.length - 8),
    '',
  ];
}

const more = (rest: number): string[] =>
  rest > 0 ? [`  and ${count(rest, 'more', 'more')} in the report`] : [];

function conflictLines(page: Page, { conflicts }: Report): string[] {
  if (conflicts.length === 0) return [];
  const lines = conflicts.flatMap(({ readings, follows, sections }) => {
    const held = readings.find(({ label }) => label === follows);
    const what =
      held === undefined
        ? `${follows === 'neither' ? 'follows neither reading' : 'could not be told which reading it follows'}`
        : `follows ${held.label}: ${held.statement}`;
    return wrap(page, '  ', `sections ${sections.join(', ')}: ${what}`);
  });
  return [`${page.colours.magenta('≠')} Where the interface contradicts itself, this target`, ...lines, ''];
}

function againLines(page: Page, report: Report): string[] {
  const reasons = sentAgain(report).map(({ why, times }) => `${times} × ${why}`);
  if (reasons.length === 0) return [];
  return [...wrap(page, '– Sent again: ', reasons.join(', ')), ''];
}

function untestedLines(page: Page, report: Report): string[] {
  const lines = [
    ...leftOut(report),
    ...byReason(withVerdict(report, 'untested')).map(
      ({ reason, requirements }) => `${count(requirements.length, 'requirement')}: ${reason}`,
    ),
  ];
  if (lines.length === 0) return [];
  return [
    `${page.colours.dim('–')} Not tested`,
    ...lines.slice(0, 8).flatMap((line) => wrap(page, '  ', line)),
    ...more(lines.length - 8),
    '',
  ];
}

/** What came of a run, to be read in ten seconds; the last line is the path of the HTML report. */
export function renderSummary(
  report: Report,
  { colour, width = 100, beside, files }: SummaryOptions,
): string {
  const page: Page = { colours: picocolors.createColors(colour), width };
  const { colours } = page;
  const tone = overallTone[report.verdict];
  const decisive = decisiveOf(report);
  const rest = decisive.slice(mostTold).flatMap(({ requirement, alike }) => [requirement, ...alike]);
  return [
    '',
    `${inkOf(colours)[tone](colours.bold(`${verdictSign[tone]} ${overallWord[report.verdict]}`))}  ${terminalLine(report.target.name).slice(0, longest)}`,
    ...wrap(page, '  ', headline(report)),
    ...report.reasons.slice(0, 6).flatMap((reason) => wrap(page, '  ', reason)),
    `  ${countLine(page, report)}`,
    '',
    ...decisive.slice(0, mostTold).flatMap((one) => failure(page, one)),
    ...briefly(page, rest.slice(0, mostNamed)),
    ...more(rest.length - mostNamed),
    ...nonGatingLines(page, report),
    ...conflictLines(page, report),
    ...againLines(page, report),
    ...untestedLines(page, report),
    ...(beside === undefined ? [] : [beside]),
    ...(files === undefined ? [] : [`${colours.dim('JSON')} ${files.json}`, files.html]),
  ].join('\n');
}

export { createProgress, type Progress, type ProgressOptions } from './progress.ts';
