import { count } from '../../spec/text.ts';
import { terminalLine } from '../escape.ts';
import { firstLines } from '../wording.ts';

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

/** What verifying a bundle found. */
export interface Verification {
  readonly subject: string;
  readonly certified: boolean;
  readonly signed: 'valid' | 'unsigned' | 'unchecked' | 'wrong';
  readonly steps: readonly Step[];
}

/** `verified`, `refuted`, or `undecided`: all that differs may be owed to another version of the suite. */
export function outcomeOf({ steps }: Verification): 'verified' | 'refuted' | 'undecided' {
  if (steps.some(({ problems }) => problems.length > 0)) return 'refuted';
  return steps.some(({ versionDifferences = [] }) => versionDifferences.length > 0)
    ? 'undecided'
    : 'verified';
}

/** Problems of one step that are printed. */
const mostLines = 12;

const indentedLines = (lines: readonly string[], mark: string): string[] =>
  firstLines(lines, mostLines).map((line) => `    ${mark} ${terminalLine(line)}`);

const signOf = ({ problems, versionDifferences = [], unchecked = false }: Step): string => {
  if (problems.length > 0) return '✕';
  return versionDifferences.length > 0 ? '?' : unchecked ? '–' : '✓';
};

function stepLines(step: Step): string[] {
  const { name, detail, problems, versionDifferences = [] } = step;
  return [
    `${signOf(step)} ${name.padEnd(12)} ${terminalLine(detail)}`,
    ...indentedLines(problems, '-'),
    ...indentedLines(versionDifferences, '~'),
  ];
}

const signedWords: Readonly<Record<Verification['signed'], string>> = {
  valid: 'certified, and signed with this key',
  unsigned: 'certified, but UNSIGNED: whoever changed all of it could have made it',
  unchecked: 'certified; the signature was NOT CHECKED: name the key with --key KEY.pub.pem',
  wrong: 'certified',
};

function conclusion(verification: Verification): string {
  const { certified, signed, steps } = verification;
  const outcome = outcomeOf(verification);
  if (outcome === 'refuted') {
    const found = steps.reduce((sum, { problems }) => sum + problems.length, 0);
    return `Not verified: ${count(found, 'problem')}.`;
  }
  if (outcome === 'undecided') {
    return 'Not decided: this version of the suite gives other results than the one that judged. Verify with that version.';
  }
  if (!certified) return 'Report and evidence agree. NOT CERTIFIED: there is no certificate.json.';
  return `Verified: ${signedWords[signed]}.`;
}

/** The outcome for a terminal, plain text. */
export const renderVerification = (verification: Verification): string =>
  [
    // A name of others must not begin a line: CI runners obey some words there.
    `Bundle of ${terminalLine(verification.subject)}`,
    '',
    ...verification.steps.flatMap(stepLines),
    '',
    conclusion(verification),
  ].join('\n');
