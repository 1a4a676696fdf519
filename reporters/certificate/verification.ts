import { count, shorten } from '../../spec/text.ts';
import { terminalLine } from '../escape.ts';
import { firstLines } from '../wording.ts';
import { affects, type Erratum } from '../../spec/errata.ts';
import { present } from '../../spec/present.ts';
import type { Report } from '../../suites/types/report.ts';
import { sinceReport } from '../register-changes.ts';
import { byId } from '../report-queries.ts';

/** One thing that was looked at, and what was found wrong with it; holds text of others, unescaped. */
export interface Step {
  readonly name: string;
  /** What was looked at, or why it could not be. */
  readonly detail: string;
  /** Each a sentence; none where all is well. */
  readonly problems: readonly string[];
  /** Nothing was wrong because nothing was checked. */
  readonly unchecked?: boolean;
  /** What this suite sees in another way only because it is not the one that judged. */
  readonly versionDifferences?: readonly string[];
}

export interface Verification {
  readonly subject: string;
  /** What it covers and what not, with a label each; none where report and evidence can't be read. */
  readonly covers: readonly (readonly [label: string, text: string])[];
  /** What of the folder is only covered by its digest, or by nothing: nothing here can derive it again. */
  readonly notChecked: readonly string[];
  /** What is known now of the suite that judged: no problem of the bundle, and no verdict depends on it. */
  readonly notices: ReturnType<typeof noticesOf>;
  /** The verdict of the report; absent where it can't be read. */
  readonly verdict?: Report['verdict'];
  readonly certified: boolean;
  /** `none`: there is no certificate, and no key was named. */
  readonly signed: 'valid' | 'unsigned' | 'unchecked' | 'wrong' | 'none';
  readonly steps: readonly Step[];
}

/** `verified`, `refuted`, or `undecided`: all that differs may be owed to another version of the suite. */
export function outcomeOf({ steps }: Verification): 'verified' | 'refuted' | 'undecided' {
  if (steps.some(({ problems }) => problems.length > 0)) return 'refuted';
  return steps.some(({ versionDifferences = [] }) => versionDifferences.length > 0)
    ? 'undecided'
    : 'verified';
}

/** Characters of a line that holds text of others, also where it ends with an address; problems of a step that are printed. */
const [longestLine, longestNotice, mostLines] = [300, 1000, 12];

/** Lines below another one: the first of them, each behind a mark. */
export const indentedLines = (lines: readonly string[], mark: string, longest = longestLine): string[] =>
  firstLines(lines, mostLines).map((line) => `    ${mark} ${terminalLine(shorten(line, longest))}`);

const headLine = (sign: string, name: string, detail: string): string =>
  `${sign} ${name.padEnd(12)} ${terminalLine(detail)}`;

const signOf = ({ problems, versionDifferences = [], unchecked = false }: Step): string => {
  if (problems.length > 0) return '✕';
  return versionDifferences.length > 0 ? '?' : unchecked ? '–' : '✓';
};

function stepLines(step: Step): string[] {
  const { name, detail, problems, versionDifferences = [] } = step;
  return [
    headLine(signOf(step), name, detail),
    ...indentedLines(problems, '-'),
    ...indentedLines(versionDifferences, '~'),
  ];
}

const noticeLines = ({ name, detail, lines }: Verification['notices'][number]): string[] => [
  headLine('!', name, detail),
  ...indentedLines(lines, '-', longestNotice),
];

/** The last line where nothing disagrees: only a signature that was checked makes it verified. */
const signedWords: Readonly<Record<Verification['signed'], string>> = {
  valid: 'Verified: certified, and signed with this key.',
  unsigned: 'Certificate, report and evidence agree. UNSIGNED: whoever changed all of it could have made it.',
  unchecked:
    'Certificate, report and evidence agree. The signature was NOT CHECKED: name the key with --key KEY.pub.pem.',
  none: 'Report and evidence agree. NOT CERTIFIED: there is no certificate.json.',
  wrong: '',
};

function conclusion(verification: Verification): string {
  const { signed, steps } = verification;
  const outcome = outcomeOf(verification);
  if (outcome === 'refuted') {
    const found = steps.reduce((sum, { problems }) => sum + problems.length, 0);
    return `Not verified: ${count(found, 'problem')}.`;
  }
  if (outcome === 'undecided') {
    return 'Not decided: another version of the suite judged, and this one can not make all of it again. Verify with that version.';
  }
  return signedWords[signed];
}

/** The outcome for a terminal, plain text. */
export const renderVerification = (verification: Verification): string =>
  [
    // A name of others must not begin a line: CI runners obey some words there.
    `Bundle of ${terminalLine(shorten(verification.subject, longestLine))}`,
    ...verification.covers.map(([label, text]) => headLine(' ', label, shorten(text, longestLine))),
    '',
    ...verification.steps.flatMap(stepLines),
    ...verification.notChecked.map((what) => headLine('–', 'Not checked', what)),
    ...verification.notices.flatMap(noticeLines),
    '',
    conclusion(verification),
  ].join('\n');

function erratumLine({ requirement, error, holds, url }: Erratum, report: Report): string {
  const row = byId(report.requirements).get(requirement);
  const found = row === undefined ? 'not in this report' : `here: ${row.verdict}`;
  return `${requirement} (${found}): ${error} What holds instead: ${holds} ${url}`;
}

/** The errors of the suite that judged a report, this version or another, and what changed in the statements since. */
export function noticesOf(report: Report, errata: readonly Erratum[], isSameSuite: boolean) {
  const { version, statements = '1' } = report.suite;
  const own = errata.filter((erratum) => affects(erratum, version));
  const changes = isSameSuite ? [] : sinceReport(report);
  return present([
    own.length > 0 && {
      name: 'Errata',
      detail: `${count(own.length, 'error')} of the suite ${version}, which judged: no fault of the target`,
      lines: own.map((erratum) => erratumLine(erratum, report)),
    },
    !isSameSuite && {
      name: 'Since then',
      detail:
        changes.length === 0
          ? `no statement changed since version ${statements}`
          : `${count(changes.length, 'statement')} changed since version ${statements}, by which it was judged`,
      lines: changes,
    },
  ]);
}
