import picocolors from 'picocolors';
import { count, shorten } from '../../spec/text.ts';
import type { Verdict } from '../../suites/types/report.ts';
import { markdownText, terminalLine } from '../escape.ts';
import { cellText, type Part } from '../markdown-parts.ts';
import { firstLines, verdictSign } from '../wording.ts';
import type { BaselineOutcome, FailingEntry, Failure } from './apply.ts';
import { entryLocation, entryText, requirementInCell } from './expected-failures.ts';

/** Lines of one kind that are shown. */
const mostLines = 20;

/** Entries of one kind, unescaped. */
export interface EntryGroup {
  readonly tone: Verdict;
  readonly title: string;
  readonly lines: readonly string[];
}

const failureLine = ({ requirement, cell, statement }: Failure): string =>
  `${requirementInCell(requirement, cell)}: ${statement}`;

const expectedLine = ({ entry }: FailingEntry): string =>
  `${requirementInCell(entry.requirement, entry.cell)}: ${entryText(entry)}`;

/** What a baseline makes of a run, by kind; kinds without a line left out. */
export function entryGroups(outcome: BaselineOutcome): EntryGroup[] {
  const entry = entryLocation(outcome);
  const { newFailures, expired, stale, unmatched, expected, undecided, unexplained, unjudged } = outcome;
  const all: EntryGroup[] = [
    { tone: 'fail', title: 'New: no entry expects it', lines: newFailures.map(failureLine) },
    {
      tone: 'fail',
      title: 'Expired: still fails after its expiry date',
      lines: expired.map((one) => `${entry(one.entry)}, expired after ${one.entry.expires}`),
    },
    { tone: 'fail', title: 'Stale: passes now, remove the entry', lines: stale.map(entry) },
    {
      tone: 'fail',
      title: 'Unmatched: this full run judged nothing that it names',
      lines: unmatched.map(entry),
    },
    {
      tone: 'inconclusive',
      title: 'Inconclusive, and not in the baseline',
      lines: unjudged.map(({ id, statement }) => `${id}: ${statement}`),
    },
    {
      tone: 'inconclusive',
      title: 'Without a reason: replace TODO',
      lines: unexplained.map(entry),
    },
    { tone: 'observed', title: 'Expected', lines: expected.map(expectedLine) },
    { tone: 'inconclusive', title: 'Not determined by this run', lines: undecided.map(entry) },
  ];
  return all.filter(({ lines }) => lines.length > 0);
}

/** What the baseline makes of the run, in one sentence. */
export function baselineHeadline(outcome: BaselineOutcome): string {
  const { file, newFailures, expired, stale, unmatched, expected, unjudged, ok } = outcome;
  const known = expected.reduce((sum, { failures }) => sum + failures.length, 0);
  const unjudgedSentence =
    unjudged.length > 0 ? [`${count(unjudged.length, 'requirement')} could not be judged.`] : [];
  if (ok && known === 0)
    return [`Nothing failed, and no entry of ${file} is stale.`, ...unjudgedSentence].join(' ');
  if (ok)
    return `Every failure is expected by ${file}: ${count(known, 'failure')}. ${unjudgedSentence[0] ?? 'Nothing is new.'}`;
  const problems = [
    ...(newFailures.length > 0 ? [count(newFailures.length, 'new failure')] : []),
    ...(expired.length > 0 ? [count(expired.length, 'expired entry', 'expired entries')] : []),
    ...(stale.length > 0 ? [count(stale.length, 'stale entry', 'stale entries')] : []),
    ...(unmatched.length > 0 ? [count(unmatched.length, 'unmatched entry', 'unmatched entries')] : []),
  ];
  return `Against ${file}: ${problems.join(', ')}; ${count(known, 'failure')} expected.`;
}

/** The outcome for a terminal. */
export function renderBaselineText(
  outcome: BaselineOutcome,
  { colour }: { readonly colour: boolean },
): string {
  const { red, green, yellow, dim, bold } = picocolors.createColors(colour);
  const colours: Partial<Record<Verdict, (text: string) => string>> = { fail: red, inconclusive: yellow };
  const groupText = ({ tone, title, lines }: EntryGroup): string[] => [
    `  ${(colours[tone] ?? dim)(`${verdictSign[tone]} ${title} (${lines.length})`)}`,
    ...firstLines(lines, mostLines).map((line) => `    ${terminalLine(shorten(line, 400))}`),
  ];
  const sign = outcome.ok ? green(`${verdictSign.pass} Baseline`) : red(`${verdictSign.fail} Baseline`);
  return [
    `${bold(sign)}  ${terminalLine(baselineHeadline(outcome))}`,
    ...entryGroups(outcome).flatMap(groupText),
    '',
  ].join('\n');
}

/** The outcome as a part of the summary in Markdown. */
export function baselinePart(outcome: BaselineOutcome): Part {
  const groupText = ({ title, lines }: EntryGroup): string => {
    const rows = firstLines(lines, mostLines).map((line) => `- ${markdownText(cellText(line))}`);
    return `**${title} (${lines.length})**\n\n${rows.join('\n')}`;
  };
  const text = [
    `## ${verdictSign[outcome.ok ? 'pass' : 'fail']} Expected failures`,
    markdownText(shorten(baselineHeadline(outcome), 600)),
    ...entryGroups(outcome).map(groupText),
  ].join('\n\n');
  return { name: 'the expected failures', text };
}
