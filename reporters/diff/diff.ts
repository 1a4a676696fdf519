import { given } from '../../spec/present.ts';
import { protocols } from '../../spec/vocabulary.ts';
import { canFail } from '../../suites/types/gating.ts';
import { depthIn, type ReportedDepth } from '../../suites/types/profile.ts';
import type { Report, ReportObservation, ReportRequirement } from '../../suites/types/report.ts';
import { byImpact } from '../impact.ts';
import { modelCellName } from '../models.ts';
import { rowChanges } from '../register-changes.ts';
import { isSameSuite, linedUp, type Unchanged } from '../report-queries.ts';
import { selectedAxes } from '../scope-limits.ts';
import { latencies } from './latency.ts';
import { type ChangeKind, type RateChange, rateChange, type RateLevel, rateLevel } from './rates.ts';

const kinds: readonly ChangeKind[] = ['regression', 'improvement', 'other', 'register'];

const isNonGating = ({ verdict, nonGating }: ReportRequirement): boolean =>
  verdict === 'inconclusive' && nonGating !== undefined;

/** A non-gating inconclusive does not gate a run (contract "Exit codes"), and comes and goes: no change to or from it counts. */
function kindOf(before: ReportRequirement, after: ReportRequirement): ChangeKind {
  if (!canFail(after)) return 'other';
  if (after.verdict === 'fail') return 'regression';
  if (isNonGating(before) || isNonGating(after)) return 'other';
  if (before.verdict === 'pass' && after.verdict === 'inconclusive') return 'regression';
  return after.verdict === 'pass' ? 'improvement' : 'other';
}

/** What counts where one of the reports is of several runs: rates, not the worst verdict of all runs. */
function repeatedChange(
  before: ReportRequirement,
  after: ReportRequirement,
  level: RateLevel,
): Change | undefined {
  const failed = rateChange(before, after, { counted: 'failed', level });
  const open = rateChange(before, after, { counted: 'not-passed', level });
  const told = failed ?? open;
  if (told === undefined) return undefined;
  const isComingAndGoing = failed === undefined && (isNonGating(before) || isNonGating(after));
  if (!canFail(after) || isComingAndGoing) return { ...told, kind: 'other' };
  if (failed?.kind === 'regression') return failed;
  if (open?.kind === 'regression' && failed?.kind !== 'improvement') return open;
  return { ...told, kind: open?.kind === 'improvement' ? 'improvement' : 'other' };
}

const isRepeated = (before: ReportRequirement, after: ReportRequirement): boolean =>
  (before.runs ?? after.runs) !== undefined;

/** What became of a requirement: its verdict is another one, or how often it failed, or the statement itself. */
interface Change {
  readonly kind: ChangeKind;
  readonly rates?: RateChange;
  /** In what the statement is another one, in words; absent where it is the same. */
  readonly register?: readonly string[];
}

/** Undefined where nothing became of it. */
function changeOf(before: ReportRequirement, after: ReportRequirement, level: RateLevel): Change | undefined {
  const register = rowChanges(before, after);
  if (register.length > 0) return { kind: 'register', register };
  const ofRates = isRepeated(before, after) ? repeatedChange(before, after, level) : undefined;
  return ofRates ?? (before.verdict === after.verdict ? undefined : { kind: kindOf(before, after) });
}

const named = ({ id, sections, level, impact, statement }: ReportRequirement) =>
  given({ id, sections, level, impact, statement });

function verdictChanges(pairs: readonly (readonly [before: ReportRequirement, after: ReportRequirement])[]) {
  const level = rateLevel(pairs.filter(([old, row]) => canFail(row) && isRepeated(old, row)));
  const changes = pairs.flatMap(([old, row]) => {
    const change = changeOf(old, row, level);
    if (change === undefined) return [];
    const { verdict: after, reason } = row;
    return [given({ ...named(row), ...change, before: old.verdict, after, reason })];
  });
  return kinds.flatMap((kind) => changes.filter((change) => change.kind === kind).sort(byImpact));
}

const oneSided = (row: ReportRequirement) => ({ ...named(row), verdict: row.verdict });

/** Observations by id; several values of one id are joined. */
export function observed({ observations }: Report) {
  const seen = new Map<string, Pick<ReportObservation, 'id' | 'section' | 'subject' | 'value'>>();
  for (const { id, section, subject, value } of observations) {
    const known = seen.get(id);
    seen.set(id, { id, section, subject, value: known === undefined ? value : `${known.value}; ${value}` });
  }
  return seen;
}

function driftOf(a: Report, b: Report) {
  const [before, after] = [[...observed(a).values()], [...observed(b).values()]];
  const { pairs, ...others } = linedUp(before, after, ({ id }) => id);
  const changed = pairs.flatMap(([{ value: earlier }, { value, ...row }]) =>
    earlier === value ? [] : [{ ...row, before: earlier, after: value }],
  );
  return { changed, ...others };
}

const conflictChanges = (a: Report, b: Report) =>
  linedUp(a.conflicts, b.conflicts, ({ id }) => id).pairs.flatMap(([{ follows: before }, { id, follows }]) =>
    before === follows ? [] : [{ id, before, after: follows }],
  );

const cellChanges = (a: Report, b: Report) =>
  linedUp(a.matrix, b.matrix, modelCellName).pairs.flatMap(([{ observed: before }, own]) => {
    const { family, protocol, group, stream, model, expectation, observed: after } = own;
    const cell = given({ family, protocol, group, stream, model, expectation });
    return before === after ? [] : [{ ...cell, before, after }];
  });

/** One of the two reports, as far as it is named. */
const sideOf = ({ target, suite, scope, run, verdict }: Report) => ({
  target: { name: target.name, baseUrl: target.baseUrl },
  suite,
  run: { id: run.id, startedAt: run.startedAt, partial: run.partial },
  depth: depthIn(scope) as ReportedDepth,
  verdict,
});

function scopeOf(report: Report): string {
  const { families, groups, rateLimited, furtherModels } = report.scope;
  const declared = [families, groups, rateLimited, furtherModels];
  const asked = [depthIn(report.scope), selectedAxes(report).sort(), report.run.partial];
  return JSON.stringify([...declared, ...asked]);
}

/** What changed from `a`, the earlier report, to `b`, the later one. Pure. */
export function diffReports(a: Report, b: Report) {
  const rows = linedUp(a.requirements, b.requirements, ({ id }) => id);
  const found = {
    /** Regressions, improvements, the rest, changed statements; within each by impact and level, else as in the later report. */
    changes: verdictChanges(rows.pairs),
    appeared: rows.appeared.map(oneSided),
    vanished: rows.vanished.map(oneSided),
    drift: driftOf(a, b),
    conflicts: conflictChanges(a, b),
    cells: cellChanges(a, b),
    /** Protocols whose latency is of another class; reported, never a regression. */
    latency: protocols.flatMap((protocol) => latencies(protocol, a, b)),
  };
  const [suiteChanged, scopeChanged] = [!isSameSuite(a.suite, b.suite), scopeOf(a) !== scopeOf(b)];
  const { drift, ...lists } = found;
  const unchanged = [...Object.values(lists), ...Object.values(drift)].every((list) => list.length === 0);
  return {
    before: sideOf(a),
    after: sideOf(b),
    /** Not judged by the same requirements, OpenAPI document or version. */
    suiteChanged,
    /** What was declared, selected or asked by the profile differs: a verdict may be missing because it was out of scope. */
    scopeChanged,
    ...found,
    regressed: found.changes.some(({ kind }) => kind === 'regression'),
    same: unchanged && !suiteChanged && !scopeChanged && a.verdict === b.verdict,
  };
}
export type ReportDiff = Unchanged<ReturnType<typeof diffReports>>;
