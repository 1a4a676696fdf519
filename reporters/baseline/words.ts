import picocolors from 'picocolors';
import type { Verdict } from '../../suites/model/report.ts';
import { markdownText, terminalLine } from '../escape.ts';
import { clip, type Part } from '../markdown-parts.ts';
import { count, verdictSign } from '../wording.ts';
import type { BaselineOutcome, Covered, Failure } from './apply.ts';
import { entryLine, entryWords, place } from './known.ts';

/** Lines of one kind that are told. */
const mostTold = 20;

/** Entries of one kind, unescaped. */
export interface Group {
  readonly tone: Verdict;
  readonly title: string;
  readonly lines: readonly string[];
}

const failureLine = ({ requirement, cell, statement }: Failure): string =>
  `${place(requirement, cell)}: ${statement}`;

const expectedLine = ({ entry }: Covered): string =>
  `${place(entry.requirement, entry.cell)}: ${entryWords(entry)}`;

/** What a baseline makes of a run, by kind; kinds without a line left out. */
export function groupsOf(outcome: BaselineOutcome): Group[] {
  const entry = entryLine(outcome);
  const { fresh, expired, stale, unmatched, expected, undecided, open } = outcome;
  const all: Group[] = [
    { tone: 'fail', title: 'New, expected by no entry', lines: fresh.map(failureLine) },
    {
      tone: 'fail',
      title: 'Expired: still fails, past its date',
      lines: expired.map((one) => `${entry(one.entry)}, expired after ${one.entry.expires}`),
    },
    { tone: 'fail', title: 'Stale: passes now, take it out', lines: stale.map(entry) },
    {
      tone: 'fail',
      title: 'Unmatched: nothing of it was judged in this full run',
      lines: unmatched.map(entry),
    },
    {
      tone: 'inconclusive',
      title: 'Could not be judged, and no entry says that it is known',
      lines: open.map(({ id, statement }) => `${id}: ${statement}`),
    },
    { tone: 'observed', title: 'Expected', lines: expected.map(expectedLine) },
    { tone: 'inconclusive', title: 'Not told by this run', lines: undecided.map(entry) },
  ];
  return all.filter(({ lines }) => lines.length > 0);
}

/** What the baseline makes of the run, in one sentence. */
export function baselineHeadline(outcome: BaselineOutcome): string {
  const { file, fresh, expired, stale, unmatched, expected, open, ok } = outcome;
  const known = expected.reduce((sum, { failures }) => sum + failures.length, 0);
  const left = open.length > 0 ? [`${count(open.length, 'requirement')} could not be judged.`] : [];
  if (ok && known === 0)
    return [`Nothing failed, and ${file} expects nothing that passes.`, ...left].join(' ');
  if (ok)
    return `Every failure is expected by ${file}: ${count(known, 'failure')}. ${left[0] ?? 'Nothing is new.'}`;
  const wrong = [
    ...(fresh.length > 0 ? [count(fresh.length, 'new failure')] : []),
    ...(expired.length > 0 ? [count(expired.length, 'expired entry', 'expired entries')] : []),
    ...(stale.length > 0 ? [count(stale.length, 'stale entry', 'stale entries')] : []),
    ...(unmatched.length > 0 ? [count(unmatched.length, 'unmatched entry', 'unmatched entries')] : []),
  ];
  return `Against ${file}: ${wrong.join(', ')}; ${count(known, 'failure')} expected.`;
}

/** The outcome for a terminal. */
export function renderBaselineText(
  outcome: BaselineOutcome,
  { colour }: { readonly colour: boolean },
): string {
  const { red, green, yellow, dim, bold } = picocolors.createColors(colour);
  const inks: Partial<Record<Verdict, (text: string) => string>> = { fail: red, inconclusive: yellow };
  const told = ({ tone, title, lines }: Group): string[] => [
    `  ${(inks[tone] ?? dim)(`${verdictSign[tone]} ${title} (${lines.length})`)}`,
    ...lines.slice(0, mostTold).map((line) => `    ${terminalLine(clip(line, 400))}`),
    ...(lines.length > mostTold ? [`    and ${lines.length - mostTold} more`] : []),
  ];
  const sign = outcome.ok ? green(`${verdictSign.pass} Baseline`) : red(`${verdictSign.fail} Baseline`);
  return [
    `${bold(sign)}  ${terminalLine(baselineHeadline(outcome))}`,
    ...groupsOf(outcome).flatMap(told),
    '',
  ].join('\n');
}

/** The outcome as a part of the summary in Markdown. */
export function baselinePart(outcome: BaselineOutcome): Part {
  const told = ({ title, lines }: Group): string => {
    const rows = lines.slice(0, mostTold).map((line) => `- ${markdownText(clip(line))}`);
    const rest = lines.length > mostTold ? [`- and ${lines.length - mostTold} more`] : [];
    return `**${title} (${lines.length})**\n\n${[...rows, ...rest].join('\n')}`;
  };
  const text = [
    `## ${verdictSign[outcome.ok ? 'pass' : 'fail']} Expected failures`,
    markdownText(clip(baselineHeadline(outcome), 600)),
    ...groupsOf(outcome).map(told),
  ].join('\n\n');
  return { name: 'the expected failures', text };
}
