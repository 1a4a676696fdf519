import { UsageError } from '../../fixtures/target/errors.ts';
import { present } from '../../spec/present.ts';
import type { Target } from '../../fixtures/target/target.ts';
import type { RunLimits } from '../../suites/types/limits.ts';
import type { Plan } from '../../suites/types/plan.ts';
import { countOf } from '../../suites/plan/plan-counts.ts';
import { planRun } from '../../suites/plan/plan.ts';
import type { Redactor } from '../../suites/wire/redaction/redact.ts';
import { interopCost } from './interop.ts';
import { limitNotices } from '../options/limits.ts';
import type { Settings } from './run-settings.ts';
import { sameModelsText, sameTokensText } from './declaration-warnings.ts';
import { dirname, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { withExtension } from '../../spec/extension.ts';
import { createEvidenceView } from '../../suites/checks/evidence-view.ts';
import { createBilling } from '../../suites/run/billing.ts';
import { earlierExchanges } from '../../suites/run/merged-evidence.ts';
import { type LimitsUse, startLimitsUse } from '../../suites/wire/limits/budget.ts';
import { noteSpent } from '../../suites/wire/retry/earlier-exchanges.ts';
import { type EvidenceHeader, evidenceIn } from '../files/evidence-file.ts';
import { readEvidence } from '../files/read-evidence.ts';
import { runFolder, runsIn } from '../files/repeated-folder.ts';

/** What the runs before one of several, which lie beside it, used up of common limits. Throws UsageError. */
export function spentBefore(
  dir: string,
  target: Target,
  { repeat, target: declared }: EvidenceHeader,
  settings: Settings,
): { readonly limitsUse?: LimitsUse } {
  if (repeat === undefined) return {};
  const all = dirname(dirname(resolve(dir)));
  const limitsUse = startLimitsUse(limitsFor(plannedRun(target, settings), settings, repeat.of));
  for (const number of runsIn(all).filter((each) => each < repeat.run)) {
    const { header, evidence } = readEvidence(evidenceIn(runFolder(all, number)));
    if (!isDeepStrictEqual(header.target, declared)) continue;
    withExtension(header.extension, () => {
      const view = createEvidenceView(planRun(target, header), evidence);
      const past = earlierExchanges(target, view, { evidence }, createBilling(target, view));
      for (const each of past) noteSpent(each, limitsUse.budget);
    });
  }
  return { limitsUse };
}

/** What a run is to send. Throws UsageError where nothing is selected. */
export function plannedRun(target: Target, settings: Settings): Plan {
  const plan = planRun(target, settings);
  const { profile, shard } = settings;
  if (plan.cases.length > 0) return plan;
  throw new UsageError(
    shard === undefined
      ? `the selection leaves no case to run in profile ${profile}; see gateway-conformance plan`
      : `the selection leaves no case for shard ${shard.index} of ${shard.count} in profile ${profile}; take fewer shards`,
  );
}

/**
 * The limits of a run. `smoke` bills what its plan says and no more, whatever the target answers; a run that needs more,
 * such as controls of refusals that no status tells, ends there, and says so. A part of `smoke` has twice its share.
 * @param times how often the plan is sent at most
 */
export function limitsFor(plan: Plan, { profile, limits = {}, selection }: Settings, times = 1): RunLimits {
  if (profile !== 'smoke' || limits.maxGenerations !== undefined) return limits;
  // A part of it lacks valid requests of the rest that would be controls of its refusals: each may be sent once more.
  const isPart =
    (plan.shard ?? plan.again) !== undefined || Object.values(selection).some(({ length }) => length > 0);
  return { ...limits, maxGenerations: (isPart ? 2 : 1) * times * countOf(plan.requests).billed };
}

/** What is to be known before anything is sent. Throws UsageError where official clients are to ask, and none can be tried. */
export function warnings(target: Target, plan: Plan, settings: Settings): readonly string[] {
  const { config, interop, limits = {}, longestMs, repeat } = settings;
  const { maxGenerations, ...others } = limits;
  // What smoke promises is no limit that anybody set.
  const isPromised =
    maxGenerations === limitsFor(plan, { ...settings, limits: {} }, repeat?.of).maxGenerations;
  // Of several runs, which are without interop, the first asks all.
  if (repeat !== undefined && repeat.run > 1) return [];
  return present([
    config === undefined ? undefined : sameTokensText(config, target),
    config === undefined ? undefined : sameModelsText(config, target, plan),
    ...limitNotices(plan, target, isPromised ? others : limits, longestMs),
    interop && interopCost(target).join('\n  '),
  ]);
}

/** Which tokens stay readable where the target repeats them, each time or in some forms. */
export function openTokensTexts({ open, partly }: Redactor): readonly string[] {
  const named = (names: readonly string[]): string => names.map((name) => `tokens.${name}`).join(', ');
  return present([
    open.length > 0 &&
      `${named(open)}: too short or too common a word to be masked where the target repeats it`,
    partly.length > 0 &&
      `${named(partly)}: shorter than 8 characters, so it may stay readable where the target repeats it beside other bytes of a list or of a long text of base64; a longer token is masked there, too`,
  ]);
}
