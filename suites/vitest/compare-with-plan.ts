import { groupBy } from '../../spec/group-by.ts';
import type { ReportCase, Verdict } from '../types/report.ts';

/** How a test came back from the runner. */
export interface ReturnedTest {
  readonly caseId: string;
  readonly verdict: Verdict | undefined;
  readonly state: 'passed' | 'failed' | 'skipped' | 'pending';
}

/** As in JUnit and CTRF: observations and readings of a conflict can't fail. */
const states: Readonly<Record<Verdict, ReturnedTest['state']>> = {
  pass: 'passed',
  observed: 'passed',
  conflict: 'passed',
  fail: 'failed',
  inconclusive: 'skipped',
  untested: 'skipped',
};

/** What became of one planned case, where it isn't what it should be. */
function problemOf(
  id: string,
  outcome: ReportCase | undefined,
  tests: readonly ReturnedTest[],
): string | undefined {
  const [test] = tests;
  if (!outcome) return `${id}: was not judged`;
  if (!test) return `${id}: did not come back from the test runner`;
  if (tests.length > 1) return `${id}: came back ${tests.length} times`;
  if (test.verdict !== outcome.verdict || test.state !== states[outcome.verdict]) {
    return `${id}: was judged ${outcome.verdict} and came back ${test.state}`;
  }
  return undefined;
}

/**
 * Where the planned cases, the judged cases and the tests that came back from the runner disagree, a line for
 * each such case; empty where all agree. A vanished case must never look like a pass.
 */
export function joinCases(
  planned: readonly { readonly id: string }[],
  judged: ReadonlyMap<string, ReportCase>,
  returned: readonly ReturnedTest[],
): readonly string[] {
  const byId = groupBy(returned, ({ caseId }) => caseId);
  return planned.flatMap(({ id }) => problemOf(id, judged.get(id), byId.get(id) ?? []) ?? []);
}
