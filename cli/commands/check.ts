import { configPlaces, loadTarget } from '../../fixtures/target/config.ts';
import { renderDeclaration } from '../../reporters/declaration.ts';
import { showsToken } from '../../suites/facts/replies.ts';
import { modelSent } from '../../suites/reading/reply-words.ts';
import { redactorOf } from '../../suites/run/execute-plan.ts';
import { type ExitCode, NotJudgedError } from '../exit.ts';
import { type CommonOptions, print, printError, wantsColour } from '../output/terminal.ts';
import { type CheckedDeclaration, checkDeclaration } from '../run/check.ts';
import { onInterrupt } from '../run/interrupt.ts';
import { longestReachMs, reach } from '../run/reachability.ts';
import { sameTokensText } from '../run/declaration-warnings.ts';

export interface CheckCommandOptions extends CommonOptions {
  readonly config: string;
  /** Longest time of one request, in milliseconds. */
  readonly timeout: number;
}

/** Columns of a terminal that does not tell. */
const usualWidth = 100;

/** Whether an exchange was sent with a token or a model that is declared wrong. */
function hasMistake({ facts, causes, view }: CheckedDeclaration, id: string): boolean {
  const { exchange } = view.state(id);
  if (exchange === undefined) return false;
  const wrong = new Set(causes.flatMap(({ configKeys = [] }) => configKeys));
  return (
    facts.tokens.some(
      ({ names, variable }) =>
        names.some((name) => wrong.has(`tokens.${name}`)) && showsToken(exchange.request.headers, variable),
    ) ||
    facts.models.some(({ keys, name }) => keys.some((key) => wrong.has(key)) && name === modelSent(exchange))
  );
}

/** `check`: asks a gateway whether it knows what a config declares. Writes no file. */
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
    const unreachable = (detail: string): NotJudgedError =>
      new NotJudgedError(
        `${placeOf('target.baseUrl') ?? config}: target.baseUrl: ${target.baseUrl} can't be reached: ${detail}`,
      );
    if (problem?.kind === 'unreachable') throw unreachable(problem.detail);
    const stopped = problem === undefined ? {} : { stopped: problem };
    const checked = await checkDeclaration(target, { timeoutMs: timeout, signal, ...stopped });
    if (checked.unreachable !== undefined && checked.causes.length === 0)
      throw unreachable(checked.unreachable);
    const text = renderDeclaration({
      ...checked,
      target,
      placeOf,
      statusOf: (id) => checked.view.state(id).exchange?.response?.status,
      isAsked: (model) => checked.view.exchanges().some((exchange) => modelSent(exchange) === model),
      hasMistake: (id) => hasMistake(checked, id),
      colour: wantsColour(options, process.stdout),
      width: process.stdout.columns ?? usualWidth,
    });
    print(redactorOf(target).text(text));
    return checked.exitCode;
  } finally {
    interrupt.release();
  }
}
