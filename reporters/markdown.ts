import { count, shorten } from '../spec/text.ts';
import type { Report, ReportCase, ReportRequirement } from '../suites/types/report.ts';
import { causesOf, isUnderCause } from './causes.ts';
import { type ExpectedFailures, noExpectedFailures } from './baseline/expected-failures.ts';
import { levelText } from './impact.ts';
import { interopPart } from './interop.ts';
import { htmlText, markdownBlock, markdownCode, markdownText } from './escape.ts';
import { causeParts, longestCommand, rateSuffix } from './markdown-causes.ts';
import {
  ambiguityPart,
  cellText,
  conflictPart,
  matrixPart,
  observationPart,
  type Part,
  table,
  untestedPart,
} from './markdown-parts.ts';
import { pinsPart } from './pins/view.ts';
import { byId, countLevels, decidingRequirements, findingsOf, headline } from './report-queries.ts';
import {
  costText,
  depthText,
  overallTone,
  overallText,
  utcTime,
  verdicts,
  verdictSign,
  verdictWord,
} from './wording.ts';

/** Bytes that a whole summary may take: a step summary and a comment both hold it. */
const mostBytes = 60_000;

type Cases = ReadonlyMap<string, ReportCase>;

function head(report: Report): Part {
  const { target, suite, scope, run } = report;
  const cost = costText(run);
  const lines = [
    `# ${verdictSign[overallTone[report.verdict]]} ${overallText(report)}: ${markdownText(cellText(target.name))}`,
    [headline(report), ...(causesOf(report).length > 0 ? [] : report.reasons.slice(0, 10))]
      .map((sentence) => markdownText(cellText(sentence)))
      .join(' '),
    `${markdownCode(target.baseUrl)} on ${markdownText(utcTime(run.startedAt))}, ${markdownText(suite.name)} ${markdownText(suite.version)}, ${count(run.requests, 'request')}, ${count(run.billedGenerations, 'billed generation')}, ${cost === undefined ? '' : `${markdownText(cost)}, `}${depthText(scope)}. Requirements ${markdownCode(suite.requirementsDigest.slice(0, 23))}, OpenAPI ${markdownCode(suite.openapiDigest.slice(0, 23))}.`,
  ];
  return { name: 'the head', text: lines.join('\n\n') };
}

function counts(report: Report): Part {
  const rows = countLevels(report).map(({ level, counts: amounts, total }) => [
    level,
    ...verdicts.map((verdict) => String(amounts[verdict])),
    String(total),
  ]);
  return {
    name: 'the counts',
    text: table(
      ['Level', ...verdicts.map((verdict) => `${verdictSign[verdict]} ${verdictWord[verdict]}`), 'All'],
      rows,
    ),
  };
}

function failureRow(
  cases: Cases,
  requirement: ReportRequirement,
  { requirements }: ExpectedFailures,
): string[] {
  const finding = findingsOf(requirement, cases)[0]?.finding;
  return [
    `${verdictWord[requirement.verdict]}${requirements.has(requirement.id) ? ', expected' : ''}`,
    `${requirement.sections.join(', ')} (${levelText(requirement)})`,
    `${markdownText(cellText(requirement.statement))} ${markdownCode(requirement.id)}${rateSuffix(requirement)}`,
    markdownCode(cellText(finding?.expected ?? '')),
    markdownCode(cellText(finding?.actual ?? requirement.reason ?? '')),
  ];
}

function failureTable(cases: Cases, rows: readonly ReportRequirement[], known: ExpectedFailures): Part[] {
  if (rows.length === 0) return [];
  const shown = rows.slice(0, 40);
  const rest =
    rows.length > shown.length
      ? `\n\n${count(rows.length - shown.length, 'more requirement')} in report.html.`
      : '';
  const lines = table(
    ['Verdict', 'Section', 'Requirement', 'Expected', 'Observed'],
    shown.map((one) => failureRow(cases, one, known)),
  );
  return [{ name: 'the table of failures', text: `## What decided it\n\n${lines}${rest}` }];
}

/** One failure with the command that shows it. */
function commandPart(cases: Cases, requirement: ReportRequirement): Part[] {
  const found = findingsOf(requirement, cases).find((one) => one.case.reproduce !== undefined);
  const command = found?.case.reproduce;
  if (found === undefined || command === undefined) return [];
  const body =
    command.length > longestCommand
      ? 'The command is too long for a summary; report.html has it.'
      : markdownBlock(command, 'sh');
  const where =
    found.finding.pointer === undefined ? '' : `, at ${markdownCode(cellText(found.finding.pointer))}`;
  return [
    {
      name: `the command for ${markdownCode(requirement.id)}`,
      // The line of a tag is HTML, not Markdown.
      text: `<details><summary>${htmlText(cellText(requirement.id))}</summary>\n\n${markdownText(cellText(requirement.statement))} ${markdownText(cellText(found.finding.message).replace(/[.]$/, ''))}${where}.\n\n${body}\n\n</details>`,
    },
  ];
}

/** A command for each of these, under a heading of their own. */
function commandParts(cases: Cases, rows: readonly ReportRequirement[]): Part[] {
  const parts = rows.flatMap((requirement) => commandPart(cases, requirement));
  return parts.length === 0
    ? []
    : [{ name: 'the heading of the commands', text: '## Commands to reproduce' }, ...parts];
}

/** Joins what fits, in order, and says what did not. */
function join(parts: readonly Part[]): string {
  const available = mostBytes - 1_000;
  const [kept, dropped]: [string[], string[]] = [[], []];
  let used = 0;
  for (const { text, name } of parts) {
    const size = Buffer.byteLength(text) + 2;
    if (used + size > available) dropped.push(name);
    else {
      kept.push(text);
      used += size;
    }
  }
  const named =
    dropped.slice(0, 5).join(', ') +
    (dropped.length > 5 ? ` and ${count(dropped.length - 5, 'more part')}` : '');
  const note =
    dropped.length > 0
      ? [
          `> This summary is cut at ${mostBytes / 1000} KB. Omitted: ${shorten(named, 700)}. report.html and report.json have all of it.`,
        ]
      : [];
  return `${[...kept, ...note].join('\n\n')}\n`;
}

/**
 * The report as a summary in Markdown for a pull request or a step summary; under 60 KB, and it says what was cut.
 * @param additionalParts parts that follow the head
 * @param known failures that a baseline expects
 */
export function renderMarkdown(
  report: Report,
  additionalParts: readonly Part[] = [],
  known: ExpectedFailures = noExpectedFailures,
): string {
  const isUnder = isUnderCause(report);
  const [rows, cases] = [decidingRequirements(report).filter((row) => !isUnder(row)), byId(report.cases)];
  return join([
    head(report),
    ...additionalParts,
    ...causeParts(report, known),
    ...pinsPart(report.pins),
    counts(report),
    ...interopPart(report),
    ...failureTable(cases, rows, known),
    ...conflictPart(report),
    ...untestedPart(report),
    ...commandParts(cases, rows),
    ...matrixPart(report),
    ...observationPart(report),
    ...ambiguityPart(report),
  ]);
}
