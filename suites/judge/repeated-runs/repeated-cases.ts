import type { ReportCase, ReportFinding, Verdict } from '../../types/report.ts';

const order: readonly Verdict[] = ['fail', 'inconclusive', 'conflict', 'observed', 'pass', 'untested'];

/** What a run did not come to says nothing of the case; undefined where nothing else is left of it. */
function withoutStopped(outcome: ReportCase, stopped: ReadonlySet<string>): ReportCase | undefined {
  const findings = outcome.findings.filter(
    ({ verdict, requirement }) => verdict !== 'inconclusive' || !stopped.has(requirement),
  );
  if (findings.length === outcome.findings.length) return outcome;
  return outcome.verdict === 'fail' || findings.length > 0 ? { ...outcome, findings } : undefined;
}

const findingKey = ({ requirement, model, verdict }: ReportFinding): string =>
  JSON.stringify([requirement, model, verdict]);

function merged(worse: ReportCase, other: ReportCase): ReportCase {
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

/**
 * The case with what one more run says of it: each finding as the first run has it that shows it.
 * @param stopped requirements that the run did not come to
 */
export function addCase(
  earlier: ReportCase | undefined,
  outcome: ReportCase,
  stopped: ReadonlySet<string>,
): ReportCase {
  if (earlier === undefined) return outcome;
  const judged = withoutStopped(outcome, stopped);
  if (judged === undefined) return earlier;
  const isWorse = order.indexOf(judged.verdict) < order.indexOf(earlier.verdict);
  return isWorse ? merged(judged, earlier) : merged(earlier, judged);
}
