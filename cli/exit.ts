import type { Report } from '../suites/model/report.ts';

/** What the process says when it ends (contract "Exit codes"). */
export const exitCodes = { conformant: 0, nonConformant: 1, usage: 2, notJudged: 3 } as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The target could not be judged at all: nobody answers there. Exit code 3. */
export class NotJudgedError extends Error {
  override readonly name = 'NotJudgedError';
}

/** The exit code of a report; a run that was stopped judged nothing to the end. */
export function exitCodeOf(
  report: Pick<Report, 'verdict'> & { run: Pick<Report['run'], 'partial'> },
): ExitCode {
  if (report.run.partial || report.verdict === 'inconclusive') return exitCodes.notJudged;
  return report.verdict === 'conformant' ? exitCodes.conformant : exitCodes.nonConformant;
}
