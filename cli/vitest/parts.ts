import type { Target } from '../../fixtures/target/target.ts';
import { byId } from '../../reporters/report-queries.ts';
import { ownText } from '../../reporters/wording.ts';
import { reads } from '../../suites/checks/registry.ts';
import { planRun } from '../../suites/plan/plan-run.ts';
import type { Case } from '../../suites/types/case.ts';
import type { RunResult } from '../api/run.ts';
import type { Settings } from '../run/run-settings.ts';
import { type CaseTest, caseTests, otherProblems } from './case-test.ts';

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
export function wantedOf(
  { title, cases }: Part,
  parts: readonly Part[],
  suite: Task | undefined,
): readonly Case[] {
  if (suite === undefined) return cases;
  const titles = parts.map((part) => part.title);
  const tasks = suite.tasks ?? [];
  const own = tasks.filter(({ name }) => (title === undefined ? !titles.includes(name) : name === title));
  const wanted = new Set(namesToRun(own));
  return cases.filter((entry) => wanted.has(nameOf(entry)));
}

/** Keeps what came of a run for its tests. */
export function keepResult(part: Part, { report, baseline }: RunResult, isFiltered: boolean): void {
  const [judged, testOf] = [
    byId(report.cases),
    caseTests(report, { baseline, failOn: part.settings.failOn }),
  ];
  part.problems = otherProblems(report, baseline);
  part.resultOf = ({ id, check }) => {
    const outcome = judged.get(id);
    if (outcome === undefined) throw new Error(`internal error: ${id} was not judged`);
    // It judges the replies that others ask for.
    const isLeftOut = isFiltered && outcome.verdict === 'inconclusive' && reads(check).length === 0;
    return isLeftOut ? { kind: 'skipped', note: 'the filter leaves out what it reads' } : testOf(outcome);
  };
}
