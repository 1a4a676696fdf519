import type { Target } from '../../fixtures/target/target.ts';
import type { ShownDeclaration } from '../../reporters/declaration.ts';
import { createEvidenceView, type EvidenceView } from '../../suites/checks/evidence-view.ts';
import { type EndpointFact, endpointFacts } from '../../suites/facts/endpoints.ts';
import { type DeclarationFacts, declarationFacts } from '../../suites/facts/facts.ts';
import { isCertain, mistakesOf } from '../../suites/facts/mistakes.ts';
import { judgeRun } from '../../suites/judge/judge-run.ts';
import { mostFirstGenerations, preflightOf } from '../../suites/plan/declared-requests.ts';
import { everything, planRun } from '../../suites/plan/plan.ts';
import { executePlan } from '../../suites/run/execute-plan.ts';
import { mistakeFound } from '../../suites/run/preflight.ts';
import type { Plan } from '../../suites/types/plan.ts';
import { defaultConcurrency, defaultProfile } from '../../suites/types/profile.ts';
import { endingWords } from '../../suites/types/reasons/exchange-words.ts';
import type { StopReason } from '../../suites/types/reasons/exchange-reasons.ts';
import { type ExitCode, exitCodes } from '../exit.ts';
import { freshSeed } from '../options/options.ts';

/** What the first requests of a run show. */
export interface CheckedDeclaration
  extends Pick<ShownDeclaration, 'facts' | 'endpoints' | 'causes' | 'requests' | 'billed'> {
  readonly view: EvidenceView;
  readonly exitCode: ExitCode;
  /** Why no request got a reply; absent where one did. */
  readonly unreachable?: string;
}

/** How the requests are sent; times in milliseconds. */
export interface CheckSettings {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Why nothing can be sent. */
  readonly stopped?: StopReason;
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
export async function checkDeclaration(target: Target, settings: CheckSettings): Promise<CheckedDeclaration> {
  const seed = freshSeed();
  const plan = preflightPlan(target, seed);
  const ran = await executePlan(target, plan, {
    ...{ ...settings, seed, selection: everything, policy },
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
function unreachableIn(view: EvidenceView): Pick<CheckedDeclaration, 'unreachable'> {
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
