import type { BaselineEntry } from '../fixtures/baseline/baseline.ts';
import { present } from '../spec/present.ts';
import { count, inWords, shorten } from '../spec/text.ts';
import type { Report, ReportCase, ReportRequirement } from '../suites/types/report.ts';
import type { BaselineOutcome } from './baseline/apply.ts';
import { expectedFailures } from './baseline/expected-failures.ts';
import { type CauseRows, causesOf, explained, findingOfCause, isUnderCause } from './causes.ts';
import { visible } from './escape.ts';
import { changeText, pinName } from './pins/view.ts';
import { seenText } from './repeats.ts';
import { byId, decidingRequirements, findingsOf, headline } from './report-queries.ts';
import { sectionList } from './sections.ts';
import { overallWord } from './wording.ts';

/** Annotations that are written; a page of GitHub shows fewer. */
const mostAnnotations = 50;
const longestMessage = 1_000;

/** The message of a workflow command. */
const data = (text: string): string =>
  visible(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

/** The value of a property of a workflow command. */
const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

type Severity = 'error' | 'warning' | 'notice';

/** @param place the line of a file, from 1 */
function command(
  severity: Severity,
  title: string,
  message: string,
  place?: { readonly file: string; readonly line: number },
): string {
  const at = place === undefined ? '' : `file=${property(place.file)},line=${place.line},`;
  const text = shorten(message, longestMessage);
  return `::${severity} ${at}title=${property(title)}::${data(text)}\n`;
}

function annotation(
  cases: ReadonlyMap<string, ReportCase>,
  requirement: ReportRequirement,
  expected: string | undefined,
): string {
  const { id, sections, impact, statement, verdict, reason } = requirement;
  const finding = findingsOf(requirement, cases)[0]?.finding;
  const where = finding?.pointer === undefined ? '' : ` (at ${finding.pointer})`;
  const told = finding && [
    `${finding.message}${where}`,
    `expected: ${finding.expected}`,
    `actual: ${finding.actual}`,
  ];
  const lines = [statement, ...(told ?? [reason ?? 'no finding recorded'])];
  const title = `${id} (${impact === undefined ? '' : `${impact}, `}${sectionList(sections)})`;
  if (expected !== undefined)
    return command('notice', `Expected failure: ${title}`, [`expected: ${expected}`, ...lines].join('\n'));
  return command(verdict === 'fail' ? 'error' : 'warning', title, lines.join('\n'));
}

function causeAnnotation(report: Report, one: CauseRows, expected: ReadonlyMap<string, string>): string {
  const { cause, rows, failed, gates } = one;
  const finding = findingOfCause(report, one);
  const failures = rows.filter(({ verdict }) => verdict === 'fail');
  const isExpected = failed > 0 && failures.every(({ id }) => expected.has(id));
  const lines = [
    cause.summary,
    `explains ${[inWords(explained(one, gates)), ...seenText(cause)].join(', ')}: ${rows.map(({ id }) => id).join(', ')}`,
    ...(finding === undefined ? [] : [`actual: ${finding.actual}`]),
  ];
  const title = isExpected ? `Expected failure: ${cause.id}` : cause.id;
  const severity = isExpected || !gates ? 'notice' : failed > 0 ? 'error' : 'warning';
  return command(severity, title, lines.join('\n'));
}

function entryAnnotations({ file, stale, expired, unmatched }: BaselineOutcome): string[] {
  const errors = (title: string, entries: readonly BaselineEntry[], what: string): string[] =>
    entries.map(({ requirement, line }) =>
      command('error', `${title} baseline entry`, `${requirement}: ${what}`, { file, line }),
    );
  const expiredEntries = expired.map(({ entry }) => entry);
  return [
    ...errors('Expired', expiredEntries, 'still fails after its expiry date'),
    ...errors('Stale', stale, 'passes now; remove the entry'),
    ...errors('Unmatched', unmatched, 'this full run judged nothing that it names'),
  ];
}

const pinAnnotations = ({ pins }: Report): string[] =>
  (pins?.changed ?? []).slice(0, mostAnnotations).map((pin) =>
    command('error', 'Pinned behaviour changed', `${pinName(pin)}\n${changeText(pin)}`, {
      file: pins?.file ?? '',
      line: pin.line,
    }),
  );

/** The report as GitHub workflow commands: an expected failure is a notice, what is wrong with a file an error in it. */
export function renderAnnotations(report: Report, outcome?: BaselineOutcome): string {
  const known = expectedFailures(report, outcome).requirements;
  const expectation = ({ id, verdict }: ReportRequirement) =>
    verdict === 'fail' ? known.get(id) : undefined;
  const isUnder = isUnderCause(report);
  const causes = causesOf(report).filter(({ gates }) => gates);
  const [rows, cases] = [decidingRequirements(report).filter((row) => !isUnder(row)), byId(report.cases)];
  // GitHub shows few: what turns the job red goes first.
  const isKnown = (row: ReportRequirement): number => Number(expectation(row) !== undefined);
  const sorted = rows.toSorted((one, other) => isKnown(one) - isKnown(other));
  const rest = rows.length - mostAnnotations;
  return present([
    ...(outcome === undefined ? [] : entryAnnotations(outcome)),
    ...pinAnnotations(report),
    ...causes.slice(0, mostAnnotations).map((one) => causeAnnotation(report, one, known)),
    ...sorted.slice(0, mostAnnotations).map((row) => annotation(cases, row, expectation(row))),
    rest > 0 && command('notice', 'More in the report', `${count(rest, 'more requirement')} in report.html`),
    rows.length + causes.length === 0 &&
      report.verdict !== 'conformant' &&
      command('warning', overallWord[report.verdict], [headline(report), ...report.reasons].join('\n')),
  ]).join('');
}
