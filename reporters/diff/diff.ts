import { protocols } from '../../spec/vocabulary.ts';
import { canFail } from '../../suites/types/gating.ts';
import { depthIn } from '../../suites/types/profile.ts';
import type { Report, ReportRequirement } from '../../suites/types/report.ts';
import { byImpact } from '../impact.ts';
import { modelCellName } from '../models.ts';
import { rowChanges } from '../register-changes.ts';
import { byId, isSameSuite } from '../report-queries.ts';
import { selectedAxes } from '../scope-limits.ts';
import { latencies } from './latency.ts';
import { rateChange, type RateLevel, rateLevel } from './rates.ts';
import type {
  CellChange,
  ChangeKind,
  ObservedValue,
  OneSided,
  ReportDiff,
  RequirementSummary,
  Side,
  VerdictChange,
} from './report-diff.ts';

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
): Pick<VerdictChange, 'kind' | 'rates'> | undefined {
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

/** What became of a requirement; undefined where nothing did. */
function changeOf(
  before: ReportRequirement,
  after: ReportRequirement,
  level: RateLevel,
): Pick<VerdictChange, 'kind' | 'rates' | 'register'> | undefined {
  const register = rowChanges(before, after);
  if (register.length > 0) return { kind: 'register', register };
  const ofRates = isRepeated(before, after) ? repeatedChange(before, after, level) : undefined;
  return ofRates ?? (before.verdict === after.verdict ? undefined : { kind: kindOf(before, after) });
}

const named = ({ id, sections, level, impact, statement }: ReportRequirement): RequirementSummary => ({
  id,
  sections,
  level,
  ...(impact === undefined ? {} : { impact }),
  statement,
});

function verdictChanges(a: Report, b: Report): VerdictChange[] {
  const earlier = byId(a.requirements);
  const pairs = b.requirements.flatMap((row) => {
    const old = earlier.get(row.id);
    return old === undefined ? [] : [[old, row] as const];
  });
  const level = rateLevel(pairs.filter(([old, row]) => canFail(row) && isRepeated(old, row)));
  const changes = pairs.flatMap(([old, row]): VerdictChange[] => {
    const change = changeOf(old, row, level);
    if (change === undefined) return [];
    const reason = row.reason === undefined ? {} : { reason: row.reason };
    return [{ ...named(row), ...change, before: old.verdict, after: row.verdict, ...reason }];
  });
  return kinds.flatMap((kind) => changes.filter((change) => change.kind === kind).sort(byImpact));
}

function oneSided(own: Report, other: Report): OneSided[] {
  const known = byId(other.requirements);
  return own.requirements
    .filter(({ id }) => !known.has(id))
    .map((row) => ({ ...named(row), verdict: row.verdict }));
}

/** Observations by id; several values of one id are joined. */
export function observed({ observations }: Report): ReadonlyMap<string, ObservedValue> {
  const seen = new Map<string, ObservedValue>();
  for (const { id, section, subject, value } of observations) {
    const known = seen.get(id);
    seen.set(id, { id, section, subject, value: known === undefined ? value : `${known.value}; ${value}` });
  }
  return seen;
}

function driftOf(a: Report, b: Report): ReportDiff['drift'] {
  const [before, after] = [observed(a), observed(b)];
  return {
    changed: [...after.values()].flatMap(({ value, ...row }) => {
      const earlier = before.get(row.id)?.value;
      return earlier === undefined || earlier === value ? [] : [{ ...row, before: earlier, after: value }];
    }),
    appeared: [...after.values()].filter(({ id }) => !before.has(id)),
    vanished: [...before.values()].filter(({ id }) => !after.has(id)),
  };
}

function conflictChanges(a: Report, b: Report): ReportDiff['conflicts'] {
  const earlier = byId(a.conflicts);
  return b.conflicts.flatMap(({ id, follows }) => {
    const before = earlier.get(id)?.follows;
    return before === undefined || before === follows ? [] : [{ id, before, after: follows }];
  });
}

function cellChanges(a: Report, b: Report): CellChange[] {
  const earlier = new Map(a.matrix.map((cell) => [modelCellName(cell), cell.observed]));
  return b.matrix.flatMap(({ family, protocol, group, stream, model, expectation, observed: after }) => {
    const cell = { family, protocol, group, stream, ...(model === undefined ? {} : { model }) };
    const before = earlier.get(modelCellName(cell));
    return before === undefined || before === after ? [] : [{ ...cell, expectation, before, after }];
  });
}

const sideOf = ({ target, suite, scope, run, verdict }: Report): Side => ({
  target: { name: target.name, baseUrl: target.baseUrl },
  suite,
  run: { id: run.id, startedAt: run.startedAt, partial: run.partial },
  depth: depthIn(scope),
  verdict,
});

function scopeOf(report: Report): string {
  const { families, groups, rateLimited, furtherModels } = report.scope;
  const declared = [families, groups, rateLimited, furtherModels];
  const asked = [depthIn(report.scope), selectedAxes(report).sort(), report.run.partial];
  return JSON.stringify([...declared, ...asked]);
}

/** What changed from `a`, the earlier report, to `b`, the later one. Pure. */
export function diffReports(a: Report, b: Report): ReportDiff {
  const found = {
    changes: verdictChanges(a, b),
    appeared: oneSided(b, a),
    vanished: oneSided(a, b),
    drift: driftOf(a, b),
    conflicts: conflictChanges(a, b),
    cells: cellChanges(a, b),
    latency: protocols.flatMap((protocol) => latencies(protocol, a, b)),
  };
  const [suiteChanged, scopeChanged] = [!isSameSuite(a.suite, b.suite), scopeOf(a) !== scopeOf(b)];
  const { drift, ...lists } = found;
  const unchanged = [...Object.values(lists), ...Object.values(drift)].every((list) => list.length === 0);
  return {
    before: sideOf(a),
    after: sideOf(b),
    suiteChanged,
    scopeChanged,
    ...found,
    regressed: found.changes.some(({ kind }) => kind === 'regression'),
    same: unchanged && !suiteChanged && !scopeChanged && a.verdict === b.verdict,
  };
}
