import type { BaselineOutcome } from '../../reporters/baseline/apply.ts';
import { expectedFailures, caseOutcome } from '../../reporters/baseline/expected-failures.ts';
import { byId } from '../../reporters/report-queries.ts';
import type { Report, ReportCase } from '../../suites/types/report.ts';
import { messageOf } from '../../suites/vitest/judged-test.ts';
import { countedRows, type FailOn } from '../run/fail-on.ts';
import type { Target } from '../../fixtures/target/target.ts';
import { ownText } from '../../reporters/wording.ts';
import { reads } from '../../suites/checks/registry.ts';
import { planRun } from '../../suites/plan/plan.ts';
import type { Case } from '../../suites/types/case.ts';
import type { RunResult } from '../api/run.ts';
import type { Settings } from '../run/run-settings.ts';

/** A task of vitest, as much of it as is used: a suite has tasks of its own. */
export interface Task {
  readonly name: string;
  readonly mode: string;
  readonly tasks?: readonly Task[];
}

export const isSuite = (given: unknown): given is Task =>
  typeof given === 'object' && given !== null && 'tasks' in given;

/** Names of the tests below tasks that the filters leave. */
const namesToRun = (tasks: readonly Task[]): readonly string[] =>
  tasks.flatMap(({ name, mode, tasks: below }) =>
    below !== undefined ? namesToRun(below) : mode === 'run' ? [name] : [],
  );

/** The id comes last: a filter by it finds one case. */
export const nameOf = ({ title, id }: Pick<Case, 'title' | 'id'>): string => `${title} (${id})`;

/** A run whose cases are tests: of the interface, or of a part of what an extension states. */
export interface Part {
  readonly settings: Settings;
  readonly cases: readonly Case[];
  /** Of the suite that has its tests; undefined for the interface, whose tests are not set apart. */
  readonly title: string | undefined;
  problems: readonly string[];
  resultOf: (entry: Case) => CaseTest;
}

export const partOf = (target: Target, settings: Settings): Part => ({
  settings,
  cases: planRun(target, settings).cases,
  title: settings.extension && ownText(settings.extension),
  problems: [],
  resultOf: ({ id }) => {
    throw new Error(`internal error: ${id} was not judged`);
  },
});

/** The cases of a part that the filters leave; all where the tasks are unknown. */
export function wantedOf({ title, cases }: Part, parts: readonly Part[], suite: Task | undefined) {
  if (suite === undefined) return cases;
  const titles = parts.map((part) => part.title);
  const tasks = suite.tasks ?? [];
  const own = tasks.filter(({ name }) => (title === undefined ? !titles.includes(name) : name === title));
  const wanted = new Set(namesToRun(own));
  return cases.filter((entry) => wanted.has(nameOf(entry)));
}

/** Keeps what came of a run for its tests. */
export function keepResult(part: Part, { report, baseline }: RunResult, isFiltered: boolean): void {
  const judged = byId(report.cases);
  const testOf = caseTests(report, { baseline, failOn: part.settings.failOn });
  part.problems = otherProblems(report, baseline);
  part.resultOf = ({ id, check }) => {
    const outcome = judged.get(id);
    if (outcome === undefined) throw new Error(`internal error: ${id} was not judged`);
    // It judges the replies that others ask for.
    const isLeftOut = isFiltered && outcome.verdict === 'inconclusive' && reads(check).length === 0;
    return isLeftOut ? { kind: 'skipped', note: 'the filter leaves out what it reads' } : testOf(outcome);
  };
}

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
      const open = outcome.findings.filter(({ verdict }) => verdict === 'inconclusive');
      const isAcknowledged = unjudged && open.every(({ requirement }) => !unjudged.has(requirement));
      return isAcknowledged ? skipped(message) : { kind: 'failed', message };
    }
    const failing = outcome.findings.filter(({ verdict }) => verdict === 'fail');
    const counts = failing.some(({ requirement }) => counted.has(requirement));
    return counts ? failedTest(outcome) : skipped(`does not count, fail-on ${failOn.join(',')}:\n${message}`);
  };
}

/** What is wrong besides the cases: entries of a baseline, and pinned behaviour that changed; a line each. */
export const otherProblems = (report: Report, baseline: BaselineOutcome | undefined): readonly string[] => [
  ...expectedFailures(report, baseline).problems.map(({ entry, message }) => `${entry}: ${message}`),
  ...(report.pins?.changed ?? []).map(
    ({ kind, id, pinned, observed }) => `${kind} ${id} is pinned to ${pinned}, and is ${observed}`,
  ),
];
