import type { BaselineOutcome } from '../../reporters/baseline/apply.ts';
import { impactList, countImpacts } from '../../reporters/impact.ts';
import { count } from '../../spec/text.ts';
import { type Impact, impacts } from '../../spec/vocabulary.ts';
import { runVerdict } from '../../suites/judge/run-verdict.ts';
import type { Report, ReportRequirement } from '../../suites/types/report.ts';
import { type ExitCode, exitCodes } from '../exit.ts';
import { namesIn } from '../options/options.ts';

/** What makes exit code 1, as it is asked for. */
export interface FailOnOptions {
  /** Only failures of these impacts; all where it is left out. */
  readonly failOn?: readonly string[];
}

/**
 * The impacts whose failures make exit code 1: all of them where nothing else is asked for.
 * @throws UsageError for what is no impact
 */
export const failOnOf = ({ failOn }: FailOnOptions): readonly Impact[] =>
  failOn === undefined ? impacts : namesIn('--fail-on', failOn, impacts);

const counts = ({ verdict, impact }: ReportRequirement, failOn: readonly Impact[]): boolean =>
  verdict !== 'fail' || impact === undefined || failOn.includes(impact);

/** All requirements but those that failed with an impact that does not count. */
export const countedRows = (
  { requirements }: Pick<Report, 'requirements'>,
  failOn: readonly Impact[],
): readonly ReportRequirement[] => requirements.filter((row) => counts(row, failOn));

const codes = {
  conformant: exitCodes.conformant,
  'non-conformant': exitCodes.nonConformant,
  inconclusive: exitCodes.notJudged,
} as const satisfies Record<Report['verdict'], ExitCode>;

/** The exit code of a report: its verdict, or the one that it would have without the failures that do not count. */
export function exitCodeOf(
  report: Pick<Report, 'verdict' | 'requirements' | 'run'>,
  failOn: readonly Impact[] = impacts,
): ExitCode {
  const rows = countedRows(report, failOn);
  const areAll = rows.length === report.requirements.length;
  return codes[areAll ? report.verdict : runVerdict(rows, report.run.partial).verdict];
}

/**
 * The exit code of a report with a baseline and pins: only what is new, stale, expired or unmatched, or a pinned
 * behaviour that changed, is 1.
 * @param failOn impacts whose failures count; a pin that changed and an entry that is stale or unmatched always do
 */
export function exitCodeAgainst(
  report: Report,
  outcome: BaselineOutcome | undefined,
  failOn: readonly Impact[] = impacts,
): ExitCode {
  if (report.pins !== undefined && report.pins.changed.length > 0) return exitCodes.nonConformant;
  if (outcome === undefined) return exitCodeOf(report, failOn);
  const rows = countedRows(report, failOn);
  const doesCount = (id: string): boolean => rows.some((row) => row.id === id);
  const isBroken =
    outcome.stale.length + outcome.unmatched.length > 0 ||
    outcome.newFailures.some(({ requirement }) => doesCount(requirement)) ||
    outcome.expired.some(({ entry }) => doesCount(entry.requirement));
  if (isBroken) return exitCodes.nonConformant;
  const judged = rows.some(({ verdict }) => verdict === 'pass' || verdict === 'fail');
  const isUndecided = report.run.partial || !judged || outcome.unjudged.length > 0;
  return isUndecided ? exitCodes.notJudged : exitCodes.conformant;
}

/** What to tell of the failures that do not count; undefined where each counts. */
export function uncountedText(
  { requirements }: Pick<Report, 'requirements'>,
  failOn: readonly Impact[],
): string | undefined {
  const rows = requirements.filter((row) => !counts(row, failOn));
  if (rows.length === 0) return undefined;
  return `${count(rows.length, 'failure')} (${impactList(countImpacts(rows))}) without effect on the exit code: --fail-on ${failOn.join(',')}`;
}
