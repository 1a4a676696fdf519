import { configPlaces, loadTarget } from '../../fixtures/target/config.ts';
import { type CheckedDeclaration, renderDeclaration } from '../../reporters/declaration.ts';
import { redactorOf, executePlan } from '../../suites/run/execute-plan.ts';
import { type ExitCode, NotJudgedError, exitCodes } from '../exit.ts';
import { type CommonOptions, print, printError, wantsColour } from '../output/terminal.ts';
import { interruptible } from '../run/interrupt.ts';
import { longestReachMs, reach } from '../run/reachability.ts';
import { sameTokensText } from '../run/declaration-warnings.ts';
import type { Target } from '../../fixtures/target/target.ts';
import { createEvidenceView, type EvidenceView } from '../../suites/checks/evidence-view.ts';
import { type EndpointFact, endpointFacts } from '../../suites/facts/endpoints.ts';
import { type DeclarationFacts, declarationFacts } from '../../suites/facts/facts.ts';
import { isCertain, mistakesOf } from '../../suites/facts/mistakes.ts';
import { judgeRun } from '../../suites/judge/judge-run.ts';
import { mostFirstGenerations, preflightOf } from '../../suites/plan/declared-requests.ts';
import { everything, planRun } from '../../suites/plan/plan.ts';
import { mistakeFound } from '../../suites/run/preflight.ts';
import type { Plan } from '../../suites/types/plan.ts';
import { defaultConcurrency, defaultProfile } from '../../suites/types/profile.ts';
import { endingWords } from '../../suites/types/reasons/exchange-words.ts';
import type { RunOptions } from '../../suites/types/run.ts';
import { freshSeed } from '../options/options.ts';

/** What the first requests of a run show. */
interface Checked extends CheckedDeclaration {
  readonly exitCode: ExitCode;
  /** Why no request got a reply; absent where one did. */
  readonly unreachable?: string;
}

/** What a run begins with, and nothing else. */
function preflightPlan(target: Target, seed: number): Plan {
  const plan = planRun(target, { seed, selection: everything, profile: defaultProfile, skipCostly: false });
  const first = preflightOf(plan.requests);
  return { ...plan, cases: [], requests: plan.requests.filter(({ id }) => first.has(id)) };
}

/** Nobody waits for a preflight: a limit by the minute is told, and not waited for. */
const policy = { attempts: 2, firstAttempts: 2, mostAttempts: 2, retryAfterMs: 2_000 } as const;

/** Asks the target whether it knows what is declared: at most `mostFirstGenerations` generations are billed. */
async function checkDeclaration(
  target: Target,
  settings: Pick<RunOptions, 'timeoutMs' | 'signal' | 'stopped'>,
): Promise<Checked> {
  const seed = freshSeed();
  const plan = preflightPlan(target, seed);
  const ran = await executePlan(target, plan, {
    ...settings,
    seed,
    selection: everything,
    policy,
    concurrency: defaultConcurrency[defaultProfile],
    limits: { maxGenerations: mostFirstGenerations },
  });
  const view = createEvidenceView(plan, ran.evidence);
  const facts = declarationFacts(view, target);
  const endpoints = endpointFacts(view);
  const meta = { ...ran, runId: '', selection: everything };
  const { causes = [], run } = judgeRun(target, plan, ran.evidence, meta);
  const sent = { requests: run.requests, billed: run.billedGenerations };
  const found = settings.stopped === undefined ? await mistakeFound(view, target) : undefined;
  // All was sent by then, and no request is left that could say so.
  if (found?.kind === 'wrong-scheme')
    return { ...(await checkDeclaration(target, { ...settings, stopped: found })), ...sent };
  return {
    facts,
    endpoints,
    causes: causes.filter(({ configKeys }) => configKeys !== undefined),
    view,
    ...sent,
    ...unreachableIn(view),
    exitCode: exitCodeOf(facts, endpoints, target),
  };
}

/** Why the target could not be reached: as the last attempt at a request ended, where none began to answer. */
function unreachableIn(view: EvidenceView): Pick<Checked, 'unreachable'> {
  const endings = view.exchanges().map(({ ending }) => ending);
  const last = endings.at(-1);
  return last !== undefined && endings.every(({ kind }) => kind === 'unreachable')
    ? { unreachable: endingWords(last) }
    : {};
}

/** That of a run: a mistake, or what can't be told, is not judged; what must be answered and is not has failed. */
function exitCodeOf(facts: DeclarationFacts, endpoints: readonly EndpointFact[], target: Target): ExitCode {
  const known = [...facts.tokens, ...facts.models].map(({ knowledge }) => knowledge);
  const isOpen = known.some((knowledge) => knowledge === 'alike' || knowledge === 'not-compared');
  if (mistakesOf(facts, target).some(isCertain)) return exitCodes.notJudged;
  if (endpoints.some(({ state }) => state === 'refuses')) return exitCodes.nonConformant;
  const isSilent = endpoints.length === 0 || endpoints.some(({ state }) => state === 'silent');
  return isOpen || isSilent ? exitCodes.notJudged : exitCodes.conformant;
}

/** Columns of a terminal that does not tell. */
const usualWidth = 100;

/** `check`: asks a gateway whether it knows what a config declares. Writes no file. */
export async function checkCommand(
  options: CommonOptions & { readonly config: string; readonly timeout: number },
): Promise<ExitCode> {
  const { config, timeout } = options;
  const target = loadTarget(config, process.env);
  const sameTokens = sameTokensText(config, target);
  if (sameTokens !== undefined) printError(sameTokens);
  return interruptible(async (signal) => {
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
    const width = process.stdout.columns ?? usualWidth;
    const text = renderDeclaration(checked, target, placeOf, { colour: wantsColour(options), width });
    print(redactorOf(target).text(text));
    return checked.exitCode;
  });
}
