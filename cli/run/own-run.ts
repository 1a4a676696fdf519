import { join } from 'node:path';
import type { Target } from '../../fixtures/target/target.ts';
import { withExtension } from '../../spec/extension.ts';
import { isOwn } from '../../spec/requirements.ts';
import { planRun } from '../../suites/plan/plan-run.ts';
import type { RunLimits } from '../../suites/types/limits.ts';
import type { Depth } from '../../suites/types/profile.ts';
import { startLimitsUse } from '../../suites/wire/limits/budget.ts';
import { type ExitCode, exitCodes } from '../exit.ts';
import { ownName } from '../files/folder.ts';
import type { Settings } from './run-settings.ts';

/** What of settings says which runs they come to. */
type Parted = Depth &
  Pick<Settings, 'own' | 'selection' | 'seed'> & {
    readonly out?: string | undefined;
    readonly limits?: RunLimits | undefined;
  };

/** What of a run its own statements do without: they are no part of the interface. */
const ofInterface = {
  certificate: undefined,
  interop: false,
  baseline: undefined,
  pins: undefined,
  history: undefined,
};

/**
 * The runs that settings come to: of the interface and, behind it, of what the gateway states itself. Each has a plan, a
 * verdict and a folder of its own, so that neither changes the other. With `--requirement` those that it is about, and
 * no second run where nothing of the extension is selected.
 * @throws UsageError where the extension makes the plan too long: before anything is sent
 */
export function runsOf<Asked extends Parted>(target: Target, all: Asked): readonly Asked[] {
  const { own, selection, out } = all;
  if (own === undefined) return [all];
  const asked = selection.requirements;
  const ofOwn = withExtension(own, () => asked.filter(isOwn));
  const others = asked.filter((id) => !ofOwn.includes(id));
  // Limits that both keep together.
  const shared = { limitsUse: startLimitsUse(all.limits ?? {}) };
  const first = { ...all, ...shared, selection: { ...selection, requirements: others } };
  const second = {
    ...all,
    ...shared,
    ...ofInterface,
    extension: own,
    selection: { ...selection, requirements: ofOwn },
    ...(out === undefined ? {} : { out: join(out, ownName) }),
  };
  if (asked.length > 0 && others.length === 0) return [second];
  const isAsked = asked.length === 0 || ofOwn.length > 0;
  return isAsked && planRun(target, second).cases.length > 0 ? [first, second] : [first];
}

/** The exit code of several runs: a failure goes before what could not be judged. */
export const exitCodeOfRuns = (codes: readonly ExitCode[]): ExitCode =>
  [exitCodes.nonConformant, exitCodes.notJudged].find((code) => codes.includes(code)) ?? exitCodes.conformant;
