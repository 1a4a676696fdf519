import { createHash } from 'node:crypto';
import { count } from '../../../spec/text.ts';
import { rounded } from '../../cost/usage.ts';
import type {
  RepeatedRun,
  Report,
  ReportCase,
  ReportCell,
  ReportExchange,
  ReportObservation,
  ReportRequirement,
} from '../../types/report.ts';
import { canFail, isUnsteady } from '../../types/gating.ts';
import { runVerdict } from '../requirements.ts';
import { summary } from '../judge-run.ts';
import { mergedCell, observationKey, withOwnIds } from './behaviour.ts';
import { leftToAsk } from './left-open.ts';
import {
  addCase,
  addCauses,
  addRow,
  mergedCauses,
  mergedRow,
  type RequirementTally,
  type SeenCause,
  unaskedRows,
} from './repeated-rows.ts';

/** The most runs in which a requirement failed whose exchanges the report carries. */
const mostCarried = 3;

const list = <Item>(known: readonly Item[] | undefined, item: Item): readonly [Item, ...Item[]] => {
  const [first, ...rest] = known ?? [];
  return first === undefined ? [item] : [first, ...rest, item];
};

/** What was sent and billed in all, from the first run to the last. */
function addRun(total: Report['run'], { run }: Report): Report['run'] {
  const { cost } = run;
  return {
    ...total,
    finishedAt: run.finishedAt,
    requests: total.requests + run.requests,
    billedGenerations: total.billedGenerations + run.billedGenerations,
    mostAtOnce: Math.max(total.mostAtOnce ?? 0, run.mostAtOnce ?? 0),
    partial: total.partial || run.partial,
    ...(total.cost === undefined || cost === undefined
      ? {}
      : {
          cost: {
            currency: cost.currency,
            expected: rounded(total.cost.expected + cost.expected),
            actual: rounded(total.cost.actual + cost.actual),
            estimated: total.cost.estimated + cost.estimated,
          },
        }),
  };
}

function named(report: Omit<Report, 'exchanges'>): ReadonlySet<string> {
  const { cases, causes, observations, conflicts, declared = [], requirements } = report;
  const rows = [...cases, ...causes, ...observations, ...conflicts, ...declared];
  const lists = rows.map(({ exchanges }) => exchanges);
  const failures = requirements.flatMap(({ runs }) => runs?.failures.slice(0, mostCarried) ?? []);
  return new Set([...lists, ...failures.map(({ exchanges }) => exchanges)].flat());
}

/** The verdict over all runs, the worst, and what decided it. */
function verdictOf(rows: readonly ReportRequirement[], { partial, repeat }: Report['run']) {
  const { verdict, reasons } = runVerdict(rows, partial);
  const { asked, runs } = repeat ?? { asked: 0, runs: [] };
  const unsteady = rows.filter((row) => canFail(row) && isUnsteady(row)).length;
  return {
    verdict,
    reasons: [
      ...reasons,
      `${runs.length} of ${partial || runs.length === asked ? '' : 'at most '}${count(asked, 'run')} ${runs.length === 1 ? 'was' : 'were'} judged.`,
      ...(unsteady > 0
        ? [`${count(unsteady, 'requirement')} failed in some runs and passed in others.`]
        : []),
    ],
  };
}

/** What is known of the runs so far, by id. */
type State = ReturnType<typeof begin>;

const begin = (first: Report) => ({
  first,
  run: { ...first.run, requests: 0, billedGenerations: 0 },
  runs: [] as RepeatedRun[],
  rows: new Map<string, RequirementTally>(),
  cases: new Map<string, ReportCase>(),
  causes: new Map<string, SeenCause>(),
  observations: new Map<string, ReportObservation>(),
  cells: new Map<string, readonly [ReportCell, ...ReportCell[]]>(),
  exchanges: new Map<string, ReportExchange>(),
});

function addReport(state: State, report: Report, run: number): void {
  const unasked = unaskedRows(report);
  const numbered = { run, report };
  for (const row of report.requirements)
    state.rows.set(row.id, addRow(state.rows.get(row.id), row, numbered, unasked));
  for (const outcome of report.cases)
    state.cases.set(outcome.id, addCase(state.cases.get(outcome.id), outcome, unasked));
  addCauses(state.causes, report, unasked);
  // An observation of which nothing is the same in each run is kept as the first run has it.
  const { observations } = state;
  const isFirst = run === 1;
  for (const row of report.observations) {
    const key = observationKey(row);
    if (!observations.has(key) && (isFirst || row.stable !== null)) observations.set(key, row);
  }
  for (const cell of report.matrix) {
    const { family, protocol, group, stream, model } = cell;
    const key = JSON.stringify([family, protocol, group, stream, model]);
    state.cells.set(key, list(state.cells.get(key), cell));
  }
  state.exchanges = new Map([
    ...state.exchanges,
    ...report.exchanges.map((exchange) => [exchange.id, exchange] as const),
  ]);
}

const rowsOf = ({ rows }: Pick<State, 'rows'>): readonly ReportRequirement[] =>
  [...rows.values()].map(mergedRow);

/** The report of all, of which the first run says what nobody can fail: it asked for everything. */
function reportOf({ first, run, ...state }: State, requirements: readonly ReportRequirement[]): Report {
  // Each run has its own.
  const { textLimits: _, ...kept } = first;
  return {
    ...kept,
    run,
    ...verdictOf(requirements, run),
    summary: summary(requirements.map(({ verdict }) => verdict)),
    causes: mergedCauses(state.causes, requirements),
    requirements,
    cases: [...state.cases.values()],
    matrix: [...state.cells.values()].map(mergedCell),
    observations: [...state.observations.values()],
    exchanges: [...state.exchanges.values()],
  };
}

/** Makes one report of several runs of a plan, at most `asked`: each requirement as the worst run has it, with the exchanges that it names. */
export function createRepeats(asked: number) {
  let state: State | undefined;
  const known = (): State => {
    if (state === undefined) throw new Error('no run was judged');
    return state;
  };
  /** The report of all runs so far. Throws where there is none. */
  const merged = (): Report => {
    const { run, runs, ...rest } = known();
    const rows = rowsOf(rest);
    const partial = run.partial || (runs.length < asked && leftToAsk(rows).length > 0);
    // Another id than that of the first run, which has a report of its own.
    const id = createHash('sha256').update(`repeat ${run.id}`).digest('hex').slice(0, 16);
    const all = { ...run, id, partial, repeat: { asked, runs } };
    return reportOf({ ...rest, runs, run: all }, rows);
  };
  return {
    /** Adds the report of the next run. One behind the first that sent nothing tells nothing, and is not counted. */
    add: (judged: Report): void => {
      if (state !== undefined && judged.run.requests === 0) return;
      const run = (state?.runs.length ?? 0) + 1;
      const report = withOwnIds(judged, run);
      state ??= begin(report);
      const { id, seed, partial } = report.run;
      state.run = state.runs.length === 0 ? report.run : addRun(state.run, report);
      const { again } = report.scope;
      const askedAgain = again && { askedAgain: again.requirements.map((row) => row.id) };
      state.runs.push({ run, id, seed, verdict: report.verdict, partial, ...askedAgain });
      addReport(state, report, run);
      // What is no longer named is not kept: a hundred runs would not fit into memory.
      const names = named(merged());
      state.exchanges = new Map([...state.exchanges].filter(([id]) => names.has(id)));
    },
    /** What the next run asks again; empty where all is decided. Throws where there was no run. */
    left: () => leftToAsk(rowsOf(known())),
    merged,
  };
}
