import type { Target } from '../fixtures/target/target.ts';
import { requirement } from '../spec/requirements.ts';
import type { Case } from '../suites/model/case.ts';
import { type Evidence, type Exchange, isExchange, type Unsent } from '../suites/model/exchange.ts';
import type { Plan } from '../suites/model/plan.ts';
import type { StopReason } from '../suites/model/reasons/exchange-reasons.ts';
import type { ReportCase } from '../suites/model/report.ts';
import type { RunHooks, RunOptions } from '../suites/model/run.ts';
import { executePlan } from '../suites/run/execute-plan.ts';
import type { ShellCase } from '../suites/shells/channel.ts';
import { openShells } from '../suites/shells/driver.ts';
import { joinCases } from '../suites/shells/join.ts';
import { attachmentOf } from './attachment.ts';

const shellCase = ({ id, title, suite, requirements }: Case): ShellCase => ({
  id,
  title,
  suite,
  requirements,
  sections: [...new Set(requirements.flatMap((name) => requirement(name).sections))],
});

/** What engine and test runner brought back. */
export interface Ran {
  readonly evidence: Evidence;
  readonly finishedAt: string;
  readonly partial: boolean;
  /** Why it was stopped before its plan was done, where it was. */
  readonly stopped?: StopReason;
  /** What went wrong in the suite itself: a case that did not come back, a shell that did not load. */
  readonly problems: readonly string[];
  /** Files of allure-results/ by name, not yet scanned for secrets. */
  readonly allure: ReadonlyMap<string, string>;
  /** What the test runner printed. */
  readonly printed: string;
}

/**
 * Runs the engine, and beside it the test runner, which gets each case as soon as it is judged.
 */
export async function runSideBySide(
  target: Target,
  plan: Plan,
  options: RunOptions,
  hooks: Required<RunHooks>,
): Promise<Ran> {
  const recorded = new Map<string, Exchange | Unsent>();
  const judged = new Map<string, ReportCase>();
  const shells = openShells(plan.cases.map(shellCase));
  // The engine first: its first exchanges are on the wire while the test runner loads.
  const engine = executePlan(target, plan, options, {
    onEvidence: (entry) => {
      recorded.set(entry.id, entry);
      hooks.onEvidence(entry);
    },
    onCase: (outcome) => {
      judged.set(outcome.id, outcome);
      const exchanges = outcome.exchanges.map((id) => recorded.get(id)).filter(isExchange);
      shells.settle({ case: outcome, exchanges: attachmentOf(outcome, exchanges) });
      hooks.onCase(outcome);
    },
    onWait: hooks.onWait,
  }).finally(shells.end);
  const [{ evidence, ...ended }, { returned, problems, allure, printed }] = await Promise.all([
    engine,
    shells.run(),
  ]);
  return {
    ...ended,
    evidence,
    problems: [...problems, ...joinCases(plan.cases, judged, returned)],
    allure,
    printed,
  };
}
