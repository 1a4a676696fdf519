import type { BaselineOutcome } from '../../reporters/baseline/apply.ts';
import { expectedFailures } from '../../reporters/baseline/expected-failures.ts';
import { caseOutcome } from '../../reporters/case-outcome.ts';
import { byId } from '../../reporters/report-queries.ts';
import type { Report, ReportCase } from '../../suites/types/report.ts';
import { messageOf } from '../../suites/vitest/judged-test.ts';
import { countedRows, type FailOn } from '../run/fail-on.ts';

/** How the test of a case comes out, as the exit code of the command would have it. */
export type CaseTest =
  | { readonly kind: 'passed' }
  | { readonly kind: 'skipped'; readonly note: string }
  | {
      readonly kind: 'failed';
      readonly message: string;
      readonly expected?: string;
      readonly actual?: string;
    };

const inconclusive = ({ findings }: ReportCase): readonly string[] =>
  findings.filter(({ verdict }) => verdict === 'inconclusive').map(({ requirement }) => requirement);

function failedTest(outcome: ReportCase): CaseTest {
  const message = messageOf(outcome);
  const failures = outcome.findings.filter(({ verdict }) => verdict === 'fail');
  const [finding] = failures;
  // The difference is shown once, and of several findings the message has all.
  if (finding === undefined || failures.length > 1) return { kind: 'failed', message };
  const { expected, actual } = finding;
  return { kind: 'failed', message, expected, actual };
}

/**
 * How the tests of a report's cases come out. What is inconclusive and gates fails: a run that proves nothing must not
 * be green. What does not count (`failOn`, a baseline, non-gating) is skipped, with why. Pure.
 */
export function caseTests(
  report: Report,
  { baseline, failOn }: { readonly baseline: BaselineOutcome | undefined; readonly failOn: FailOn },
): (outcome: ReportCase) => CaseTest {
  const requirements = byId(report.requirements);
  const known = expectedFailures(report, baseline);
  const counted = new Set(countedRows(report, failOn).map(({ id }) => id));
  const unjudged = baseline && new Set(baseline.unjudged.map(({ id }) => id));
  return (outcome) => {
    const skipped = (why: string): CaseTest => ({ kind: 'skipped', note: why });
    const kind = caseOutcome(outcome, requirements, known);
    if (kind === 'passed') return { kind };
    const expected = known.cases.get(outcome.id);
    if (expected !== undefined) return skipped(`expected failure: ${expected}`);
    const message = messageOf(outcome);
    if (kind === 'skipped') return skipped(message);
    if (kind === 'error') {
      const open = inconclusive(outcome);
      const isAcknowledged = unjudged !== undefined && open.every((id) => !unjudged.has(id));
      return isAcknowledged ? skipped(message) : { kind: 'failed', message };
    }
    const failing = outcome.findings.filter(({ verdict }) => verdict === 'fail');
    const counts = failing.some(({ requirement }) => counted.has(requirement));
    return counts ? failedTest(outcome) : skipped(`does not count, fail-on ${failOn.join(',')}:\n${message}`);
  };
}

/** What is wrong besides the cases: entries of a baseline, and pinned behaviour that changed; a line each. */
export function otherProblems(report: Report, baseline: BaselineOutcome | undefined): readonly string[] {
  return [
    ...expectedFailures(report, baseline).problems.map(({ entry, message }) => `${entry}: ${message}`),
    ...(report.pins?.changed ?? []).map(
      ({ kind, id, pinned, observed }) => `${kind} ${id} is pinned to ${pinned}, and is ${observed}`,
    ),
  ];
}
