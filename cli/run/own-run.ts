import { join } from 'node:path';
import type { Target } from '../../fixtures/target/target.ts';
import { type Extension, withExtension } from '../../spec/extension.ts';
import { isOwn } from '../../spec/requirements.ts';
import { planRun } from '../../suites/plan/plan.ts';
import type { Depth } from '../../suites/types/profile.ts';
import { startLimitsUse } from '../../suites/wire/limits/budget.ts';
import { type ExitCode, exitCodes } from '../exit.ts';
import { partOf } from '../../spec/part.ts';
import { historyOf, readRunInputs, type RunFiles } from './run-inputs.ts';
import type { Settings } from './run-settings.ts';

/** What of settings says which runs they come to. */
type Parted = Depth & Pick<Settings, 'own' | 'selection' | 'seed' | 'out' | 'history' | 'limits'>;

/** What an extension states, in parts that a run each asks: a request goes to one path of a shape. */
const partsOf = (own: Extension): readonly Extension[] => [own, ...own.paths.map((at) => ({ ...own, at }))];

/**
 * The runs that settings come to: of the interface and, behind it, of what the gateway states itself. Each has a plan, a
 * verdict and a folder of its own, so that none changes another. With `--requirement` those that it is about, and
 * no further run where nothing of the extension is selected.
 * @throws UsageError where the extension makes the plan too long: before anything is sent
 */
export function runsOf<Asked extends Parted>(target: Target, all: Asked): readonly Asked[] {
  const { own, selection, out } = all;
  if (own === undefined) return [all];
  const asked = selection.requirements;
  const isOwnIn = (part: Extension, id: string): boolean => withExtension(part, () => isOwn(id));
  const parts = partsOf(own);
  // What another path is asked stands in the register of the interface, too.
  const others = asked.filter((id) => parts.some((part) => part.at === undefined && !isOwnIn(part, id)));
  // Limits that all keep together.
  const shared = { limitsUse: startLimitsUse(all.limits ?? {}) };
  const first = { ...all, ...shared, selection: { ...selection, requirements: others } };
  const further = parts.flatMap((extension) => {
    const name = partOf(extension);
    const ofPart = asked.filter((id) => isOwnIn(extension, id));
    if (asked.length > 0 && ofPart.length === 0) return [];
    const run = {
      ...all,
      ...shared,
      // Official clients ask for nothing of it.
      interop: false,
      extension,
      selection: { ...selection, requirements: ofPart },
      ...(out === undefined ? {} : { out: join(out, name), history: all.history ?? historyOf(out) }),
    };
    return planRun(target, run).cases.length > 0 ? [{ name, run }] : [];
  });
  const runs = further.map(({ run }) => run);
  if (asked.length > 0 && others.length === 0 && runs.length > 0) return runs;
  return [{ ...first, ownFolders: further.map(({ name }) => name) }, ...runs];
}

/** The same, once all that these runs are compared with could be read. Throws UsageError before anything is sent. */
export function readyRunsOf<Asked extends Parted & RunFiles>(target: Target, all: Asked): readonly Asked[] {
  const runs = runsOf(target, all);
  if (runs.length > 1) for (const run of runs) readRunInputs(run.out, run);
  return runs;
}

/** The exit code of several runs: a failure goes before what could not be judged. */
export const exitCodeOfRuns = (codes: readonly ExitCode[]): ExitCode =>
  [exitCodes.nonConformant, exitCodes.notJudged].find((code) => codes.includes(code)) ?? exitCodes.conformant;
