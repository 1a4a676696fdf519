import { withExtension } from '../../spec/extension.ts';
import { byId } from '../../reporters/report-queries.ts';
import type { Target } from '../../fixtures/target/target.ts';
import { judgeRun } from '../../suites/judge/judge-run.ts';
import { type Evidence, isExchange } from '../../suites/types/exchange.ts';
import type { Plan } from '../../suites/types/plan.ts';
import type { Report, ReportCase } from '../../suites/types/report.ts';
import type { RunHooks, RunMeta, RunOptions } from '../../suites/types/run.ts';
import { executePlan } from '../../suites/run/execute-plan.ts';
import { allureResults, attachmentOf } from '../../suites/vitest/allure-files.ts';
import { joinCases, startTestRunner, type TestRunner } from '../../suites/vitest/runner.ts';
import { judgedTest } from '../../suites/vitest/judged-test.ts';

/** What a run goes by, and whether its cases are given as tests, with the files of allure-results/. */
export type JudgedRunOptions = RunOptions &
  Pick<RunMeta, 'runId' | 'startedAt'> & { readonly allure: boolean };

/** Lets the runner give the cases of a report as tests; without one there is nothing that could go wrong in the suite. */
export async function runAsTests(
  runner: TestRunner | undefined,
  plan: Plan,
  evidence: Evidence,
  judged: Report,
) {
  const cases = byId(judged.cases);
  const tests = runner && withExtension(plan.extension, () => judged.cases.map(judgedTest));
  const run = tests && (await runner?.run(tests));
  if (run === undefined) return { allure: undefined, problems: [] };
  const { returned, allure, problems } = run;
  // The exchanges of a case are the attachment of its test result.
  const attachment = (outcome: ReportCase): string | null =>
    attachmentOf(outcome, outcome.exchanges.map((id) => evidence.get(id)).filter(isExchange));
  return {
    allure: allureResults(allure, cases, attachment),
    problems: [...problems, ...joinCases(plan.cases, cases, returned)],
  };
}

/** Sends what is planned and judges it; with Allure the test runner gives the cases as tests. Never throws for the target. */
export async function judgedRun(
  target: Target,
  plan: Plan,
  options: JudgedRunOptions,
  hooks: Required<RunHooks>,
) {
  const { evidence, finishedAt, partial, stopped } = await executePlan(target, plan, options, hooks);
  const runner = options.allure ? startTestRunner() : undefined;
  try {
    const judge = (isPartial: boolean): Report =>
      judgeRun(target, plan, evidence, { ...options, finishedAt, partial: isPartial });
    const judged = judge(partial);
    const tested = await runAsTests(runner, plan, evidence, judged);
    return {
      evidence,
      /** Why it was stopped before its plan was done, where it was. */
      stopped,
      // A case that vanished leaves the run unfinished: it must not look complete.
      report: tested.problems.length > 0 && !partial ? judge(true) : judged,
      ...tested,
    };
  } finally {
    await runner?.close();
  }
}
