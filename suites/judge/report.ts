import { createHash } from 'node:crypto';
import type { Target } from '../../fixtures/target/target.ts';
import { matrix } from '../../spec/matrix.ts';
import { requirement, requirements } from '../../spec/requirements.ts';
import { suiteInfo } from '../../spec/suite-info.ts';
import type { Cell } from '../../spec/vocabulary.ts';
import { createEvidenceView, type EvidenceView } from '../checks/evidence-view.ts';
import { imagesOf } from '../checks/shared/image-data.ts';
import { type Evidence, type Exchange, isExchange } from '../model/exchange.ts';
import type { Plan } from '../model/plan.ts';
import type { Report, ReportCell, ReportObservation, ReportRequirement, Verdict } from '../model/report.ts';
import type { Selection } from '../model/run.ts';
import { cellId } from '../cases/builder/request-ids.ts';
import { runCost } from '../cost/run-cost.ts';
import { depthIn } from '../model/profile.ts';
import type { TrafficCounts } from '../model/traffic.ts';
import { scopeOf } from '../model/scope.ts';
import { type JudgedCase, judgeCase } from './case.ts';
import { traceCauses } from './causes/causes.ts';
import { mistakesIn } from './causes/mistakes.ts';
import { conflicts } from './conflicts.ts';
import { judgeRequirements } from './requirements.ts';
import { shorten } from './shorten.ts';
import { overall } from './overall.ts';

/** Format of the report that this suite writes and reads. */
export const reportVersion = 3;

/** What of a run is neither in its plan nor in its evidence. */
export interface RunMeta {
  readonly runId: string;
  readonly startedAt: string;
  readonly finishedAt: string;
  /** Whether the run was stopped before all requests of its plan were sent. */
  readonly partial: boolean;
  readonly selection: Selection;
  /** What live traffic came to; absent where the suite sent the requests. */
  readonly traffic?: TrafficCounts;
}

/** What of a target the report needs; the value of a token is not among it. */
export type JudgedTarget = Pick<Target, 'name' | 'baseUrl' | 'models' | 'tokens' | 'prices'>;

/**
 * Judges the evidence of a run. Pure: the same plan and evidence give the same report, offline, on any
 * machine (principle 12).
 */
export function judgeRun(target: JudgedTarget, plan: Plan, evidence: Evidence, meta: RunMeta): Report {
  const view = createEvidenceView(plan, evidence);
  const mistakes = mistakesIn(view, target);
  const cases = plan.cases.map((entry) => judgeCase(entry, view, mistakes));
  const { requirements: rows, causes } = traceCauses(judgeRequirements(cases, plan), cases, view, mistakes);
  const exchanges = recorded(plan, evidence);
  const observed = observations(cases);
  const { shared: _, sharedModels: _models, declaresOtherVersion: _version, ...scope } = scopeOf(target);
  return {
    schemaVersion: reportVersion,
    suite: suiteInfo(),
    target: { name: target.name, baseUrl: target.baseUrl },
    scope: {
      ...scope,
      selection: selected(meta.selection),
      ...depthIn(plan),
    },
    run: {
      id: meta.runId,
      startedAt: meta.startedAt,
      finishedAt: meta.finishedAt,
      requests: meta.traffic?.passed ?? exchanges.reduce((sum, { attempts }) => sum + attempts.length, 0),
      billedGenerations: billedGenerations(exchanges, view),
      ...(target.prices ? { cost: runCost(target, target.prices, exchanges, view) } : {}),
      seed: plan.seed,
      partial: meta.partial,
      ...(meta.traffic === undefined ? {} : { traffic: meta.traffic }),
    },
    ...overall(rows, meta.partial),
    summary: summary(rows.map((row) => row.verdict)),
    causes,
    requirements: rows,
    excluded: requirements().flatMap(({ id, sections, level, statement, excluded }) =>
      excluded === undefined ? [] : [{ id, sections, level, statement, reason: excluded }],
    ),
    cases: cases.map(({ outcome }) => outcome),
    matrix: cells(plan, view, { cases, rows }),
    conflicts: conflicts({ plan, view, cases, rows, observations: observed }),
    observations: observed,
    exchanges: exchanges.map(shorten),
  };
}

const selected = (selection: Selection): Report['scope']['selection'] =>
  Object.fromEntries(Object.entries(selection).filter(([, values]) => values.length > 0));

function summary(verdicts: readonly Verdict[]): Report['summary'] {
  const counts = { pass: 0, fail: 0, inconclusive: 0, untested: 0, observed: 0, conflict: 0 };
  for (const verdict of verdicts) counts[verdict] += 1;
  return counts;
}

/** The exchanges of a plan in its order, each followed by what sends it again. */
function recorded(plan: Plan, evidence: Evidence): readonly Exchange[] {
  const again = [...evidence.values()]
    .filter(isExchange)
    .filter(({ repeats }) => repeats !== undefined)
    .sort((one, other) => one.id.length - other.id.length || (one.id < other.id ? -1 : 1));
  const parts = [...evidence.values()].filter(isExchange).filter(({ part }) => part !== undefined);
  return plan.requests.flatMap(({ id }) =>
    [
      evidence.get(id),
      ...parts.filter(({ part }) => part?.of === id),
      ...again.filter(({ repeats }) => repeats === id),
    ].filter(isExchange),
  );
}

/** Every answer is thought to be billed, images each; an attempt before it that was not answered is not. */
function billedGenerations(exchanges: readonly Exchange[], view: EvidenceView): number {
  return exchanges.reduce((sum, { id, repeats }) => {
    const state = view.state(id);
    if (state.kind !== 'answered') return sum;
    const isImages = view.request(repeats ?? id)?.protocol === 'images';
    return sum + (isImages ? (imagesOf(state)?.length ?? 1) : 1);
  }, 0);
}

const seen = { answered: 'served', refused: 'refused', unclear: 'unknown' } as const;

/** What the cells of a plan were judged to be. */
interface JudgedRows {
  readonly cases: readonly JudgedCase[];
  readonly rows: readonly ReportRequirement[];
}

const isOpen = (verdict: Verdict | undefined): boolean =>
  verdict === 'inconclusive' || verdict === 'untested';

/**
 * Every cell of the matrix, with what was seen of it. A refusal that its case does not count, for want of a control or
 * for a mistake of the operator, is none.
 */
function cells(plan: Plan, view: EvidenceView, judged: JudgedRows): readonly ReportCell[] {
  const idOf = (cell: Cell): string => cellId(cell, cell.protocol, cell.stream);
  const verdicts = new Map<string, Verdict>(
    [...judged.cases.map(({ outcome }) => outcome), ...judged.rows].map(({ id, verdict }) => [id, verdict]),
  );
  return matrix().map(({ anyGroup, ...cell }) => {
    const cases = plan.cases.filter((entry) => entry.cell && idOf(entry.cell) === idOf(cell));
    // One group that is served is enough: each by itself is unspecified.
    const ofAnyGroup = anyGroup ? verdicts.get(cell.requirements[0] ?? '') : undefined;
    const state = view.state(plan.source === undefined ? idOf(cell) : (inTraffic(cell, plan, view) ?? ''));
    const isUncounted =
      state.kind === 'refused' && (cases.some(({ id }) => isOpen(verdicts.get(id))) || isOpen(ofAnyGroup));
    return {
      ...cell,
      expectation: anyGroup ? 'unspecified' : cell.expectation,
      ...(ofAnyGroup === undefined ? {} : { anyGroup: ofAnyGroup }),
      observed: !state.exchange ? 'not sent' : isUncounted ? 'unknown' : seen[state.kind],
      cases: cases.map(({ id }) => id),
    };
  });
}

/** The request of live traffic that shows a cell: one that is answered, or else the first. */
function inTraffic(cell: Cell, { requests }: Plan, view: EvidenceView): string | undefined {
  const own = requests.filter(
    ({ protocol, stream, callers }) =>
      protocol === cell.protocol &&
      stream === cell.stream &&
      callers.some(({ family, group }) => family === cell.family && group === cell.group),
  );
  return (own.find(({ id }) => view.kind(id) === 'answered') ?? own[0])?.id;
}

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
