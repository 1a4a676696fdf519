import { dirname, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Target } from '../../fixtures/target/target.ts';
import { withExtension } from '../../spec/extension.ts';
import { createEvidenceView } from '../../suites/checks/evidence-view.ts';
import { planRun } from '../../suites/plan/plan.ts';
import { createBilling } from '../../suites/run/billing.ts';
import { earlierExchanges } from '../../suites/run/merged-evidence.ts';
import { type LimitsUse, startLimitsUse } from '../../suites/wire/limits/budget.ts';
import { noteSpent } from '../../suites/wire/retry/earlier-exchanges.ts';
import { type EvidenceHeader, evidenceIn } from '../files/evidence-file.ts';
import { readEvidence } from '../files/read-evidence.ts';
import { runFolder, runsIn } from '../files/repeated-folder.ts';
import { limitsFor, plannedRun } from './planned-run.ts';
import type { Settings } from './run-settings.ts';

/**
 * What the runs before one of several, which lie beside it, used up of the limits that all keep together; empty for any
 * other run.
 * @param dir of the run that goes on
 * @throws UsageError where the evidence of one can't be read
 */
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
