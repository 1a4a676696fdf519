import { given } from '../../spec/present.ts';
import { describeReply } from '../checks/shared/findings.ts';
import { createHash } from 'node:crypto';
import type { Target } from '../../fixtures/target/target.ts';
import { withExtension } from '../../spec/extension.ts';
import { requirement, requirements, suiteInfo } from '../../spec/requirements.ts';
import { createEvidenceView, type EvidenceView } from '../checks/evidence-view.ts';
import { modelViews } from '../checks/registry.ts';
import { imagesOf } from '../checks/shared/image-data.ts';
import { type Evidence, type Exchange, isExchange, judgedEvidence, shorten } from '../types/exchange.ts';
import type { CauseKind, ReportCause } from '../types/cause.ts';
import type { Plan } from '../types/plan.ts';
import type { Report, ReportObservation, Verdict } from '../types/report.ts';
import type { RunMeta } from '../types/run.ts';
import { runCost } from '../cost/run-cost.ts';
import { depthIn, reportedExtension } from '../types/profile.ts';
import { scopeOf } from '../types/scope.ts';
import { type JudgedCase, judgeCase, reportedFinding } from './judge-case.ts';
import { cells, modelCells } from './matrix-cells.ts';
import { traceCauses } from './causes/causes.ts';
import { declarationFacts } from '../facts/facts.ts';
import { declaredOf, mistakesOf } from '../facts/mistakes.ts';
import { textLimits } from '../facts/refused-texts.ts';
import { mostAtOnce } from '../facts/sent-requests.ts';
import { conflicts, judgeRequirements, runVerdict, withImpacts } from './requirements.ts';
import { moreKnown, type ShownFailure } from './shown-failure.ts';
import { isBehindOnly, reproduce } from './reproduce.ts';
import { smallestRequest } from './smallest-request.ts';

/** Format of the report that this suite writes and reads. */
export const reportVersion = 3;

/** What of a target the report needs; the value of a token is not among it. */
export type JudgedTarget = Pick<
  Target,
  'name' | 'baseUrl' | 'models' | 'furtherModels' | 'tokens' | 'prices'
>;

function judgedEvidenceOf(target: JudgedTarget, plan: Plan, evidence: Evidence) {
  const view = createEvidenceView(plan, evidence);
  const viewOf = modelViews(view);
  const facts = declarationFacts(view, target);
  const mistakes = mistakesOf(facts, target);
  const cases = plan.cases.map((entry) => judgeCase(entry, viewOf(entry), mistakes));
  const judged = withImpacts(
    judgeRequirements(cases, plan),
    cases.map(({ outcome }) => outcome),
    view,
  );
  const { requirements: rows, ...traced } = traceCauses(judged, cases, { view, viewOf, mistakes });
  return { view, facts, cases, rows, ...traced };
}

interface Judged {
  readonly target: JudgedTarget;
  readonly plan: Plan;
  readonly size: number;
  readonly found: ReturnType<typeof judgedEvidenceOf>;
}

/** By the evidence of a run, to which only what is not judged is added once it was. */
const lastJudged = new WeakMap<Evidence, Judged>();

/** What a run is judged to show, without what was sent to show a failure once more; kept until more was recorded. */
export function judgedRunOf(target: JudgedTarget, plan: Plan, evidence: Evidence): Judged['found'] {
  const judged = judgedEvidence(evidence);
  const last = lastJudged.get(evidence);
  if (last?.target === target && last.plan === plan && last.size === judged.size) return last.found;
  const found = judgedEvidenceOf(target, plan, judged);
  lastJudged.set(evidence, { target, plan, size: judged.size, found });
  return found;
}

function withSmallest(cause: ReportCause, failures: readonly ShownFailure[], asked: EvidenceView) {
  const shown = failures.find((failure) => failure.cause === cause.id);
  if (shown === undefined) return cause;
  const { smallest, failure } = smallestRequest(shown, asked);
  const { expected, actual } = reportedFinding({ requirement: shown.requirement, ...failure });
  const more = moreKnown(shown, asked);
  const summary = shown.told(more);
  const isSame = smallest.exchange === shown.of && !isBehindOnly(more.failure);
  const command = isSame ? undefined : reproduce(asked, smallest.exchange, more.failure);
  const { exchange } = asked.state(smallest.exchange);
  // Of what is missing the reply says more than that it is.
  const isMissing = failure.reason.kind === 'field-missing' && exchange !== undefined;
  const came = isMissing ? `${actual}: ${describeReply(exchange)}` : actual;
  const told = { ...cause, summary, smallest: { ...smallest, expected, actual: came } };
  return command === undefined ? told : { ...told, reproduce: command };
}

/** Judges the evidence of a run. Pure: plan and evidence give the same report, offline, on any machine (principle 12). */
export const judgeRun = (target: JudgedTarget, plan: Plan, evidence: Evidence, meta: RunMeta): Report =>
  withExtension(plan.extension, () => judged(target, plan, evidence, meta));

function judged(target: JudgedTarget, plan: Plan, evidence: Evidence, meta: RunMeta): Report {
  const { view, facts, cases, rows, ...traced } = judgedRunOf(target, plan, evidence);
  const sent = [...evidence.values()].filter(isExchange);
  const smaller = sent
    .filter((exchange) => exchange.smaller !== undefined)
    .sort((one, other) => (one.timing.startedAt < other.timing.startedAt ? -1 : 1));
  // Where nothing more was sent, no reply is read twice.
  const asked = smaller.length === 0 ? view : createEvidenceView(plan, evidence);
  const causes = traced.causes.map((cause) => withSmallest(cause, traced.failures, asked));
  const outcomes = cases.map(({ outcome }) => outcome);
  // Where anything else is refused that must not be, its length may not be why.
  const limits = causes.some(({ kind }) => ofRefusals.has(kind)) ? [] : textLimits(view);
  const exchanges = [...inPlanOrder(plan, evidence, sent), ...smaller];
  const observed = observations(cases);
  const { extension, ...depth } = depthIn(plan);
  const { families, groups, rateLimited } = scopeOf(target);
  const { startedAt, finishedAt, partial, parts, traffic } = meta;
  return {
    schemaVersion: reportVersion,
    suite: suiteInfo(),
    target: { name: target.name, baseUrl: target.baseUrl },
    scope: given({
      families,
      groups,
      rateLimited,
      furtherModels: target.furtherModels,
      selection: Object.fromEntries(Object.entries(meta.selection).filter(([, values]) => values.length > 0)),
      ...depth,
      extension: extension && reportedExtension(extension),
    }),
    run: given({
      id: meta.runId,
      startedAt,
      finishedAt,
      requests: traffic?.passed ?? exchanges.reduce((sum, { attempts }) => sum + attempts.length, 0),
      billedGenerations: billedGenerations(exchanges, asked),
      mostAtOnce: mostAtOnce(sent),
      cost: target.prices && runCost(target, target.prices, exchanges, asked),
      seed: plan.seed,
      partial,
      parts,
      traffic,
    }),
    ...runVerdict(rows, meta.partial),
    summary: summary(rows.map((row) => row.verdict)),
    causes,
    declared: declaredOf(facts),
    ...(limits.length > 0 ? { textLimits: limits } : {}),
    requirements: rows,
    excluded: requirements().flatMap(({ id, sections, level, statement, excluded }) =>
      excluded === undefined || plan.extension !== undefined
        ? []
        : [{ id, sections, level, statement, reason: excluded }],
    ),
    cases: outcomes,
    matrix: [...cells(plan, view, { cases, rows }), ...modelCells(view, cases)].filter(
      ({ observed: seen }) => plan.extension === undefined || seen !== 'not sent',
    ),
    conflicts:
      plan.extension === undefined ? conflicts({ plan, view, cases, rows, observations: observed }) : [],
    observations: observed,
    exchanges: exchanges.map(shorten),
  };
}

/** What a target refuses that it must answer. */
const ofRefusals: ReadonlySet<CauseKind> = new Set([
  'endpoint-absent',
  'endpoint-unanswered',
  'token-not-accepted',
  'family-not-served',
  'stream-not-offered',
  'parameter-not-supported',
  'text-refused',
]);

export function summary(verdicts: readonly Verdict[]): Report['summary'] {
  const counts = { pass: 0, fail: 0, inconclusive: 0, untested: 0, observed: 0, conflict: 0 };
  for (const verdict of verdicts) counts[verdict] += 1;
  return counts;
}

/** The exchanges of a plan in its order, each followed by its parts and by what sends it again. */
function inPlanOrder(plan: Plan, evidence: Evidence, sent: readonly Exchange[]): readonly Exchange[] {
  const again = sent
    .filter(({ repeats }) => repeats !== undefined)
    .sort((one, other) => one.id.length - other.id.length || (one.id < other.id ? -1 : 1));
  const parts = sent.filter(({ part }) => part !== undefined);
  return plan.requests.flatMap(({ id }) =>
    [
      evidence.get(id),
      ...parts.filter(({ part }) => part?.of === id),
      ...again.filter(({ repeats }) => repeats === id),
    ].filter(isExchange),
  );
}

/** Every answer is thought to be billed, images each; an attempt before it that was not answered is not. */
const billedGenerations = (exchanges: readonly Exchange[], view: EvidenceView): number =>
  exchanges.reduce((sum, { id, repeats }) => {
    const state = view.state(id);
    if (state.kind !== 'answered') return sum;
    const isImages = view.request(repeats ?? id)?.protocol === 'images';
    return sum + (isImages ? (imagesOf(state)?.length ?? 1) : 1);
  }, 0);

const observations = (cases: readonly JudgedCase[]): readonly ReportObservation[] =>
  cases.flatMap(({ outcome, judgement }) =>
    (judgement.observations ?? []).map((observation) => ({
      id: outcome.id,
      section: requirement(observation.requirement).sections[0] ?? '',
      ...observation,
      exchanges: outcome.exchanges,
    })),
  );

/** Identifies a run by what shaped it and when. */
export const runId = (seed: number, startedAt: string, baseUrl: string): string =>
  createHash('sha256').update(`${seed} ${startedAt} ${baseUrl}`).digest('hex').slice(0, 16);
