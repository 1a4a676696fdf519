import { configPlaces, loadTarget } from '../../fixtures/target/config.ts';
import { renderDeclaration } from '../../reporters/declaration.ts';
import { redactorOf } from '../../suites/run/execute-plan.ts';
import type { ExitCode } from '../exit.ts';
import { NotJudgedError } from '../exit.ts';
import { type CommonOptions, print, printError, wantsColour } from '../output/terminal.ts';
import { checkDeclaration } from '../run/check.ts';
import { onInterrupt } from '../run/interrupt.ts';
import { longestReachMs, reach } from '../run/reachability.ts';
import { sameTokensText } from '../run/same-token-warning.ts';

export interface CheckCommandOptions extends CommonOptions {
  readonly config: string;
  /** Longest time of one request, in milliseconds. */
  readonly timeout: number;
}

/** Columns of a terminal that does not tell. */
const usualWidth = 100;

/**
 * `check`: asks a gateway whether it knows what a config declares. Writes no file.
 * @throws NotJudgedError where the gateway can't be reached
 */
export async function checkCommand(options: CheckCommandOptions): Promise<ExitCode> {
  const { config, timeout } = options;
  const target = loadTarget(config, process.env);
  const sameTokens = sameTokensText(config, target);
  if (sameTokens !== undefined) printError(sameTokens);
  const interrupt = onInterrupt();
  try {
    const { signal } = interrupt;
    const placeOf = configPlaces(config);
    const problem = await reach(target.baseUrl, Math.min(timeout, longestReachMs), signal);
    if (problem?.kind === 'unreachable')
      throw new NotJudgedError(
        `${placeOf('target.baseUrl') ?? config}: target.baseUrl: ${target.baseUrl} can't be reached: ${problem.detail}`,
      );
    const stopped = problem === undefined ? {} : { stopped: problem };
    const checked = await checkDeclaration(target, { timeoutMs: timeout, signal, ...stopped });
    const text = renderDeclaration({
      ...checked,
      target,
      placeOf,
      statusOf: (id) => checked.view.state(id).exchange?.response?.status,
      colour: wantsColour(options, process.stdout),
      width: process.stdout.columns ?? usualWidth,
    });
    print(redactorOf(target).text(text));
    return checked.exitCode;
  } finally {
    interrupt.release();
  }
}
