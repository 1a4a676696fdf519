import { UsageError } from '../../fixtures/target/errors.ts';
import type { Target } from '../../fixtures/target/target.ts';
import type { Extension } from '../../spec/extension.ts';
import { isObject } from '../../spec/json.ts';
import { protocols } from '../../spec/vocabulary.ts';
import { everything } from '../../suites/plan/plan.ts';
import { planRun } from '../../suites/plan/plan-run.ts';
import type { Depth } from '../../suites/types/profile.ts';

/** How many times as long as the plan of the interface both plans together may be. */
const mostGrowth = 10;

/** How many requests the statements and the allowed values of an extension ask for, at least. */
function leastRequests({ statements, additions }: Extension): number {
  const probes = statements.flatMap((row) => row.probes ?? []);
  const asked = probes.map(
    ({ protocols: of = protocols, values = [null], situations }) =>
      of.length * values.length * (1 + (situations && 'each' in situations ? situations.each : 0)),
  );
  const allowed = additions.flatMap(({ value }) =>
    Object.values(value).map((each) => (isObject(each) && Array.isArray(each.enum) ? each.enum.length : 0)),
  );
  return [...asked, ...allowed].reduce((sum, each) => sum + each, 0);
}

/** @throws UsageError where what an extension states makes the plan too long */
export function ensureBounded(
  target: Target,
  { extension, ...settings }: Depth & { readonly seed: number },
): void {
  if (extension === undefined) return;
  const { requests } = planRun(target, { ...settings, selection: everything });
  const asked = leastRequests(extension);
  if (asked > (mostGrowth - 1) * requests.length)
    throw new UsageError(
      `${extension.files.map(({ name }) => name).join(', ')}: asks for ${asked} requests or more beside the ${requests.length} of the interface, and the plan may become ${mostGrowth} times as long at most; state less in one run, such as fewer values or situations`,
    );
}
