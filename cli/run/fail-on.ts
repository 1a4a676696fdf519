import type { BaselineOutcome } from '../../reporters/baseline/apply.ts';
import { impactList, countImpacts } from '../../reporters/impact.ts';
import { count } from '../../spec/text.ts';
import { type Impact, impacts } from '../../spec/vocabulary.ts';
import { runVerdict } from '../../suites/judge/requirements.ts';
import type { Report, ReportRequirement } from '../../suites/types/report.ts';
import { type ExitCode, exitCodes } from '../exit.ts';
import { namesIn } from '../options/options.ts';
import type { JudgeOptions } from '../options/run-options.ts';

/** What of a failure decides whether it counts. */
const failures = [...impacts, 'own'] as const;
export type FailOn = readonly (typeof failures)[number][];

/** The failures that make exit code 1, all where nothing is asked for. Throws UsageError for an unknown name. */
export const failOnOf = ({ failOn }: Pick<JudgeOptions, 'failOn'>): FailOn =>
  failOn === undefined ? failures : namesIn('--fail-on', failOn, failures);

/** `own` alone stands for own statements of every impact. */
function counts({ verdict, impact, level }: ReportRequirement, failOn: FailOn): boolean {
  if (verdict !== 'fail' || impact === undefined) return true;
  const named = failOn.filter((name): name is Impact => name !== 'own');
  if (level !== 'own') return named.includes(impact);
  return failOn.includes('own') && (named.length === 0 || named.includes(impact));
}

/** All requirements but those that failed with an impact that does not count. */
export const countedRows = (
  { requirements }: Pick<Report, 'requirements'>,
  failOn: FailOn,
): readonly ReportRequirement[] => requirements.filter((row) => counts(row, failOn));

const codes = {
  conformant: exitCodes.conformant,
  'non-conformant': exitCodes.nonConformant,
  inconclusive: exitCodes.notJudged,
} as const satisfies Record<Report['verdict'], ExitCode>;

/** The exit code of a report: its verdict, or the one that it would have without the failures that do not count. */
export function exitCodeOf(
  report: Pick<Report, 'verdict' | 'requirements' | 'run'>,
  failOn: FailOn = failures,
): ExitCode {
  const rows = countedRows(report, failOn);
  const areAll = rows.length === report.requirements.length;
  return codes[areAll ? report.verdict : runVerdict(rows, report.run.partial).verdict];
}

/** The exit code with a baseline and pins, whose own errors count whatever `failOn` is; an expected failure is no 1. */
export function exitCodeAgainst(
  report: Report,
  outcome: BaselineOutcome | undefined,
  failOn: FailOn = failures,
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
export function uncountedText({ requirements }: Pick<Report, 'requirements'>, failOn: FailOn) {
  const rows = requirements.filter((row) => !counts(row, failOn));
  if (rows.length === 0) return undefined;
  return `${count(rows.length, 'failure')} (${impactList(countImpacts(rows))}) without effect on the exit code: --fail-on ${failOn.join(',')}`;
}
