import { join } from 'node:path';
import { withExtension } from '../../spec/extension.ts';
import { isOwn } from '../../spec/requirements.ts';
import type { RunLimits } from '../../suites/types/limits.ts';
import { startLimitsUse } from '../../suites/wire/limits/limits-use.ts';
import { type ExitCode, exitCodes } from '../exit.ts';
import { ownName } from '../files/folder.ts';
import type { Settings } from './run-settings.ts';

/** What of settings says which runs they come to. */
type Parted = Pick<Settings, 'own' | 'selection' | 'profile'> & {
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

/** Limits that both runs keep together. What `smoke` promises each of them keeps by itself. */
function sharedLimits({ limits = {}, profile }: Parted): Pick<Settings, 'limitsUse'> {
  return profile === 'smoke' && limits.maxGenerations === undefined
    ? {}
    : { limitsUse: startLimitsUse(limits) };
}

/**
 * The runs that settings come to: of the interface and, behind it, of what the gateway states itself. Each has a plan, a
 * verdict and a folder of its own, so that neither changes the other. With `--requirement` those that it is about.
 */
export function runsOf<Asked extends Parted>(all: Asked): readonly Omit<Asked, 'own'>[] {
  const { own, ...settings } = all;
  if (own === undefined) return [settings];
  const { selection, out } = settings;
  const asked = selection.requirements;
  const ofOwn = withExtension(own, () => asked.filter(isOwn));
  const others = asked.filter((id) => !ofOwn.includes(id));
  const shared = sharedLimits(settings);
  const isAsked = (ids: readonly string[]): boolean => asked.length === 0 || ids.length > 0;
  return [
    ...(isAsked(others)
      ? [{ ...settings, ...shared, selection: { ...selection, requirements: others } }]
      : []),
    ...(isAsked(ofOwn)
      ? [
          {
            ...settings,
            ...shared,
            ...ofInterface,
            extension: own,
            selection: { ...selection, requirements: ofOwn },
            ...(out === undefined ? {} : { out: join(out, ownName) }),
          },
        ]
      : []),
  ];
}

/** The exit code of several runs: a failure goes before what could not be judged. */
export const exitCodeOfRuns = (codes: readonly ExitCode[]): ExitCode =>
  [exitCodes.nonConformant, exitCodes.notJudged].find((code) => codes.includes(code)) ?? exitCodes.conformant;
