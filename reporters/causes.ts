import { count, inWords } from '../spec/text.ts';
import { present } from '../spec/present.ts';
import { isOutOfScope, type ReportCause } from '../suites/types/cause.ts';
import { canFail, isGating } from '../suites/types/gating.ts';
import type { Report, ReportFinding, ReportRequirement, Verdict } from '../suites/types/report.ts';
import { byId, decidingRequirements, findingsOf } from './report-queries.ts';

/** Rows of other levels are never failed: no cause is told for them. */
const isCounted = (row: ReportRequirement): boolean => isFailed(row) || isUndecided(row) || isUntested(row);

const isUndecided = (row: ReportRequirement): boolean => row.verdict === 'inconclusive' && canFail(row);

const isUntested = (row: ReportRequirement): boolean => row.verdict === 'untested' && canFail(row);

const isFailed = ({ verdict }: ReportRequirement): boolean => verdict === 'fail';

const countsOf = (rows: readonly ReportRequirement[]) => ({
  failed: rows.filter(isFailed).length,
  undecided: rows.filter(isUndecided).length,
  untested: rows.filter(isUntested).length,
});

function causeRows(cause: ReportCause, requirements: ReadonlyMap<string, ReportRequirement>) {
  const own = cause.requirements.flatMap((id) => requirements.get(id) ?? []).filter(isCounted);
  const counts = countsOf(own);
  const open = own.some(({ verdict }) => verdict === 'inconclusive') ? 'inconclusive' : 'untested';
  const tone: Verdict = counts.failed > 0 ? 'fail' : open;
  return {
    cause,
    rows: [...own.filter(isFailed), ...own.filter((row) => !isFailed(row))],
    ...counts,
    /** Whether it keeps the run from exit code 0. */
    gates: own.some((row) => isFailed(row) || isGating(row)),
    tone,
  };
}
export type CauseRows = ReturnType<typeof causeRows>;

/** What stands behind failures and what could not be judged, the worst first; what was not asked is not among it. */
export function causesOf({ causes, requirements }: Report): readonly CauseRows[] {
  const known = byId(requirements);
  return causes
    .map((cause) => causeRows(cause, known))
    .filter(({ cause, rows }) => !isOutOfScope(cause) && (rows.length > 0 || cause.configKeys !== undefined));
}

/** Whether one of the causes explains a row, also one that is never failed and not shown under it. */
export function isExplained(report: Report): (row: ReportRequirement) => boolean {
  const behind = new Set(causesOf(report).flatMap(({ cause }) => cause.requirements));
  return ({ id }) => behind.has(id);
}

export function isUnderCause(report: Report): (row: ReportRequirement) => boolean {
  const isBehind = isExplained(report);
  return (row) => isCounted(row) && isBehind(row);
}

/** The rows that decided the run: those of its causes, and those that hang on none. */
export const decisiveRows = (report: Report): readonly ReportRequirement[] => [
  ...new Set([...causesOf(report).flatMap(({ rows }) => rows), ...decidingRequirements(report)]),
];

/** Where a key of the config stands, such as `gateway-conformance.yaml:8`; undefined where that is not known. */
export type PlaceOf = (key: string) => string | undefined;

/** `target.baseUrl is at gateway-conformance.yaml:8`, for each of these keys whose place is known. */
export const placesOf = (keys: readonly string[], placeOf: PlaceOf): readonly string[] =>
  keys.flatMap((key) => {
    const place = placeOf(key);
    return place === undefined ? [] : [`${key} is at ${place}`];
  });

/** `3 causes explain 7 failures and 84 undecided requirements.`, each counted once; empty where there is none. */
export function causesHeadline(report: Report): string {
  const causes = causesOf(report);
  if (causes.length === 0) return '';
  const parts = explained(countsOf([...new Set(causes.flatMap((one) => one.rows))]));
  return `${count(causes.length, 'cause explains', 'causes explain')} ${inWords(parts)}.`;
}

/** `7 failures`, `84 undecided requirements`, `3 untested requirements`: what a cause explains. */
export const explained = ({ failed, undecided, untested }: ReturnType<typeof countsOf>, gates = true) =>
  present([
    failed > 0 && count(failed, 'failure'),
    undecided > 0 && count(undecided, 'undecided requirement'),
    untested > 0 && count(untested, 'untested requirement'),
    failed + undecided + untested === 0 && 'what follows from it stands under other causes',
    !gates && failed + undecided + untested > 0 && 'does not count against the target',
  ]);

/** The finding that shows a cause best, with what came of the request that its command sends. A mistake tells itself. */
export function findingOfCause(report: Report, { cause, rows }: CauseRows): ReportFinding | undefined {
  if (cause.configKeys !== undefined) return undefined;
  const cases = byId(report.cases);
  const found = rows.flatMap((row) => findingsOf(row, cases));
  const shown =
    found.find(({ finding: { exchange } }) => exchange !== undefined && cause.evidence.includes(exchange)) ??
    found.find(({ case: { exchanges } }) => exchanges[0] !== undefined && exchanges[0] === cause.evidence[0]);
  const best = (shown ?? found[0])?.finding;
  const { expected, actual } = cause.smallest ?? {};
  return best && { ...best, ...(expected && actual ? { expected, actual } : {}) };
}
