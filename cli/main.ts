import { CommanderError } from 'commander';
import { UsageError } from '../fixtures/target/errors.ts';
import { type ExitCode, exitCodes, NotJudgedError } from './exit.ts';
import { createProgram } from './options/program.ts';
import { flush, printError } from './output/terminal.ts';

/** Prints the error, in one line where the caller can solve it, and returns the exit code. */
function fail(error: unknown, debug: boolean): ExitCode {
  // Commander has printed what it had to say.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.conformant : exitCodes.usage;
  const known = error instanceof UsageError || error instanceof NotJudgedError;
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  printError(
    known
      ? message
      : `internal error: ${message}\nThis is a bug in the suite; --debug prints the stack trace.`,
  );
  if (debug && stack) printError(stack);
  return error instanceof UsageError ? exitCodes.usage : exitCodes.notJudged;
}

/** Runs what the arguments ask for, prints to stdout and stderr, and gives the exit code. Never rejects. */
export async function runCommandLine(argv: readonly string[]): Promise<ExitCode> {
  let code: ExitCode = exitCodes.conformant;
  try {
    await createProgram((reported) => {
      code = reported;
    }).parseAsync(argv, { from: 'user' });
  } catch (error) {
    code = fail(error, argv.includes('--debug'));
  }
  return code;
}

/** The command as a process: it ends with the exit code. */
export async function main(argv: readonly string[]): Promise<void> {
  const debug = argv.includes('--debug');
  const end = async (code: ExitCode): Promise<never> => {
    await flush();
    // A connection of a target that never ends must not keep the process.
    process.exit(code);
  };
  // Node would exit with 1, and 1 says non-conformant.
  process.on('uncaughtException', (error) => void end(fail(error, debug)));
  // The reader of our output may end before us: `gateway-conformance plan | head`. The command still does its work.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', ({ code }: NodeJS.ErrnoException) => {
      if (code !== 'EPIPE') process.exit(exitCodes.notJudged);
    });
  }
  await end(await runCommandLine(argv));
}
