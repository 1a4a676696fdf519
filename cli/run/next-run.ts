import type { Target } from '../../fixtures/target/target.ts';
import { isMisdeclared } from '../../reporters/impact.ts';
import { count } from '../../spec/text.ts';
import { askedAgain } from '../../suites/plan/asked-cases.ts';
import { planRun } from '../../suites/plan/plan-run.ts';
import type { AskedAgain } from '../../suites/types/profile.ts';
import { exitCodes } from '../exit.ts';
import type { RunOutcome } from './run-once.ts';
import type { Settings } from './run-settings.ts';

/** What came of a run, of what it asked again where it did not ask all. */
export function outcomeText({ report, exitCode }: RunOutcome): string {
  const { scope, summary, verdict, requirements } = report;
  if (scope.again === undefined)
    return exitCode === exitCodes.conformant || summary.fail === 0
      ? verdict
      : `${verdict}, ${summary.fail} failed`;
  const asked = new Set(scope.again.requirements.map(({ id }) => id));
  const failed = requirements.filter((row) => row.verdict === 'fail').length;
  const passed = requirements.filter((row) => row.verdict === 'pass' && asked.has(row.id)).length;
  return `asked ${count(asked.size, 'requirement')} again, ${failed} failed, ${passed} passed`;
}

/** Why the next run does not begin; undefined where it may. */
export function endOf({ aborted }: AbortSignal, spentMs: number, longestMs = Infinity): string | undefined {
  if (aborted) return 'stopped';
  return spentMs >= longestMs ? `--max-duration ${longestMs / 1000} is over` : undefined;
}

/** Whether no further run is of any use: nothing more may be sent, or nothing can be, or the config is to be mended. */
export const isLast = ({ report, problems }: RunOutcome): boolean =>
  report.run.partial || report.run.requests === 0 || problems.length > 0 || isMisdeclared(report);

/** What the next run asks again of what those before it left open, with data of its own; nothing before the first. */
export function againIn(
  target: Target,
  settings: Settings,
  first: RunOutcome | undefined,
  left: AskedAgain['requirements'],
): Pick<Settings, 'again'> {
  if (first === undefined) return {};
  const before = { plan: planRun(target, settings), evidence: new Map() };
  return { again: { ...askedAgain(first.report.run.id, left, before), repeated: true } };
}
