/** What the process says when it ends (contract "Exit codes"). */
export const exitCodes = { conformant: 0, nonConformant: 1, usage: 2, notJudged: 3 } as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The target could not be judged at all: nothing answers there. Exit code 3. */
export class NotJudgedError extends Error {
  override readonly name = 'NotJudgedError';
}
