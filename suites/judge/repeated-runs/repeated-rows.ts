import { isGating } from '../../types/gating.ts';
import type {
  Report,
  ReportCase,
  ReportFinding,
  ReportRequirement,
  RequirementRuns,
  Verdict,
} from '../../types/report.ts';
import type { ReportCause } from '../../types/cause.ts';
import { causeWeight } from '../causes/causes.ts';

/** A run whose report is at hand, its exchanges by the ids that the report of all has. */
export interface NumberedReport {
  readonly run: number;
  readonly report: Report;
}

/** The most exchanges named for a requirement and a run in which it failed. */
const mostNamed = 6;

/** What a run says nothing of that it passed or is undecided: it was stopped before, or asked other requirements again. */
export function unaskedRows({ causes, requirements, scope }: Report): ReadonlySet<string> {
  const stopped = causes.filter(({ kind }) => kind === 'run-stopped');
  const again = scope.again && new Set(scope.again.requirements.map(({ id }) => id));
  return new Set([
    ...stopped.flatMap((cause) => cause.requirements),
    ...requirements.flatMap(({ id }) => (again === undefined || again.has(id) ? [] : [id])),
  ]);
}

/** How much a row tells, from 0: a failure most, then what a run decided; what it did not come to tells nothing. */
function rankOf(row: ReportRequirement, unasked: ReadonlySet<string>): number {
  if (row.verdict === 'fail') return 0;
  if (row.verdict === 'untested') return 5;
  if (unasked.has(row.id)) return 4;
  if (row.verdict !== 'inconclusive') return 1;
  return isGating(row) ? 2 : 3;
}

export interface RequirementTally {
  /** As the run has it that tells most of it, of these the first. */
  readonly row: ReportRequirement;
  readonly rank: number;
  readonly cases: ReadonlySet<string>;
  readonly runs: RequirementRuns;
}

const nothing: RequirementRuns = { judged: 0, failed: 0, inconclusive: 0, failures: [] };

/** The exchanges that show why a requirement failed in a run. */
function shownBy({ id, cases }: ReportRequirement, { cases: outcomes }: Report): readonly string[] {
  const isFailure = ({ requirement, verdict }: ReportFinding): boolean =>
    requirement === id && verdict === 'fail';
  const own = outcomes.filter((outcome) => cases.includes(outcome.id) && outcome.findings.some(isFailure));
  const named = own.flatMap(({ findings }) =>
    findings.filter(isFailure).flatMap(({ exchange }) => exchange ?? []),
  );
  const all = named.length > 0 ? named : own.flatMap(({ exchanges }) => exchanges);
  return [...new Set(all)].slice(0, mostNamed);
}

export function addRow(
  earlier: RequirementTally | undefined,
  row: ReportRequirement,
  { run, report }: NumberedReport,
  unasked: ReadonlySet<string>,
): RequirementTally {
  const rank = rankOf(row, unasked);
  const { judged, failed, inconclusive, failures } = earlier?.runs ?? nothing;
  const isFailed = rank === 0;
  const runs: RequirementRuns = {
    judged: judged + (rank <= 3 ? 1 : 0),
    failed: failed + (isFailed ? 1 : 0),
    inconclusive: inconclusive + (rank === 2 || rank === 3 ? 1 : 0),
    failures: isFailed
      ? [...failures, { run, seed: report.run.seed, exchanges: shownBy(row, report) }]
      : failures,
  };
  const cases = new Set([...(earlier?.cases ?? []), ...row.cases]);
  return earlier === undefined || rank < earlier.rank
    ? { row, rank, cases, runs }
    : { ...earlier, cases, runs };
}

export const mergedRow = ({ row, cases, runs }: RequirementTally): ReportRequirement => ({
  ...row,
  cases: [...cases],
  ...(runs.judged > 0 && (row.verdict === 'pass' || runs.failed + runs.inconclusive > 0) ? { runs } : {}),
});

const order: readonly Verdict[] = ['fail', 'inconclusive', 'conflict', 'observed', 'pass', 'untested'];

/** What a run did not come to says nothing of the case; undefined where nothing else is left of it. */
function withoutUnasked(outcome: ReportCase, unasked: ReadonlySet<string>): ReportCase | undefined {
  const findings = outcome.findings.filter(
    ({ verdict, requirement }) => verdict !== 'inconclusive' || !unasked.has(requirement),
  );
  if (findings.length === outcome.findings.length) return outcome;
  return outcome.verdict === 'fail' || findings.length > 0 ? { ...outcome, findings } : undefined;
}

const findingKey = ({ requirement, model, verdict }: ReportFinding): string =>
  JSON.stringify([requirement, model, verdict]);

/** The case without what it leaves undecided of requirements that another run decided in it. */
function withoutDecided(outcome: ReportCase, { passed }: ReportCase): ReportCase {
  const isDecided = ({ verdict, requirement }: ReportFinding): boolean =>
    verdict === 'inconclusive' && passed.includes(requirement);
  const findings = outcome.findings.filter((finding) => !isDecided(finding));
  if (findings.length === outcome.findings.length) return outcome;
  const found = order.find((verdict) => findings.some((finding) => finding.verdict === verdict));
  return {
    ...outcome,
    findings,
    verdict: outcome.verdict === 'inconclusive' ? (found ?? 'pass') : outcome.verdict,
  };
}

function mergedCase(worse: ReportCase, other: ReportCase): ReportCase {
  const known = new Set(worse.findings.map(findingKey));
  const further = other.findings.filter((finding) => !known.has(findingKey(finding)));
  const findings = [...worse.findings, ...further];
  const found = new Set(findings.map(({ requirement }) => requirement));
  return {
    ...worse,
    requirements: [...new Set([...worse.requirements, ...other.requirements])],
    findings,
    passed: [...new Set([...worse.passed, ...other.passed])].filter((id) => !found.has(id)),
    exchanges: [...new Set([...worse.exchanges, ...further.flatMap(({ exchange }) => exchange ?? [])])],
  };
}

/** The case with what one more run says of it: each finding as it was first shown. `unasked`: what that run left out. */
export function addCase(
  earlier: ReportCase | undefined,
  outcome: ReportCase,
  unasked: ReadonlySet<string>,
): ReportCase {
  if (earlier === undefined) return outcome;
  const asked = withoutUnasked(outcome, unasked);
  if (asked === undefined) return earlier;
  const [judged, known] = [withoutDecided(asked, earlier), withoutDecided(earlier, asked)];
  const isWorse = order.indexOf(judged.verdict) < order.indexOf(known.verdict);
  return isWorse ? mergedCase(judged, known) : mergedCase(known, judged);
}

/** A cause as the run has it in which what it explains is worst. */
export interface SeenCause {
  readonly cause: ReportCause;
  readonly explainsFailure: boolean;
  readonly seen: number;
}

/** Adds the causes of a run; where it asked again, those of what it asked and of what failed. */
export function addCauses(
  known: Map<string, SeenCause>,
  { causes, requirements, scope }: Report,
  unasked: ReadonlySet<string>,
): void {
  const failed = new Set(requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id));
  const isOfAsked = ({ requirements: ids }: ReportCause): boolean =>
    ids.some((id) => failed.has(id) || !unasked.has(id));
  for (const cause of scope.again === undefined ? causes : causes.filter(isOfAsked)) {
    const earlier = known.get(cause.id);
    const explainsFailure = cause.requirements.some((id) => failed.has(id));
    const isWorse = explainsFailure && earlier?.explainsFailure === false;
    const kept = earlier === undefined || isWorse ? { cause, explainsFailure } : earlier;
    known.set(cause.id, { ...kept, seen: (earlier?.seen ?? 0) + 1 });
  }
}

/** The causes of the rows, each of so many runs as its rows were asked in, and the mistakes of the operator. */
export const mergedCauses = (
  known: ReadonlyMap<string, SeenCause>,
  rows: readonly ReportRequirement[],
): readonly ReportCause[] =>
  [...known.values()]
    .map(({ cause, seen }) => {
      const own = rows.filter((row) => row.cause === cause.id);
      const judged = Math.max(seen, ...own.map(({ runs }) => runs?.judged ?? 0));
      const merged = { ...cause, requirements: own.map(({ id }) => id), runs: { judged, seen } };
      return { merged, weight: causeWeight(own, cause) };
    })
    .filter(({ merged }) => merged.requirements.length > 0 || merged.configKeys !== undefined)
    .sort(
      (one, other) =>
        one.weight - other.weight || other.merged.requirements.length - one.merged.requirements.length,
    )
    .map(({ merged }) => merged);
