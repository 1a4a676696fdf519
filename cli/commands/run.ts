import { loadTarget } from '../../fixtures/target/config.ts';
import { UsageError } from '../../fixtures/target/errors.ts';
import { terminalBlock } from '../../reporters/escape.ts';
import { type ExitCode, exitCodes } from '../exit.ts';
import { isSameFolder } from '../files/folder.ts';
import { extensionOf } from '../run/own-options.ts';
import { lastFailed } from '../run/last-failed.ts';
import { limitsOf, runLimitsOf } from '../options/limits.ts';
import { resumedRun } from '../run/resume.ts';
import { spentBefore } from '../run/planned-run.ts';
import type { RunRequest } from '../options/run-options.ts';
import { settingsOf } from '../run/run-settings.ts';
import { type CommonOptions, print, wantsColour } from '../output/terminal.ts';
import { type Display, runConformance } from '../output/terminal-run.ts';

export const displayOf = (options: RunCommandOptions): Display => ({
  quiet: options.quiet ?? false,
  colour: wantsColour(options),
});

export type RunCommandOptions = RunRequest &
  CommonOptions & { readonly quiet?: boolean; readonly out: string };

interface StartOptions {
  readonly config: string;
  readonly resume?: string;
  /** DIR of the run of which is asked again what it left failed or undecided. */
  readonly lastFailed?: string;
  readonly onlyCauses?: readonly string[];
}

/** @throws UsageError where what is asked again would replace the report that it is of, or where nothing is named */
function checkLastFailed({ lastFailed, onlyCauses, out }: RunCommandOptions & StartOptions): void {
  if (lastFailed === undefined && onlyCauses !== undefined)
    throw new UsageError('--only-causes names causes of a report: name its DIR with --last-failed');
  if (lastFailed !== undefined && isSameFolder(lastFailed, out))
    throw new UsageError(
      `--out ${out}: is the DIR of --last-failed, which it would replace; name another folder with --out`,
    );
}

/** `run`: judges the target of a config file. */
export async function runCommand(options: RunCommandOptions & StartOptions): Promise<ExitCode> {
  const { config, resume, lastFailed: earlier, onlyCauses } = options;
  const out = resume ?? options.out;
  const asked = { ...options, out };
  checkLastFailed(options);
  const isNew = (resume ?? earlier) === undefined;
  // What is wrong with the options is told first.
  if (isNew) settingsOf({ ...asked, requirement: [] });
  const target = loadTarget(config, process.env, options.extend);
  const limits = runLimitsOf(limitsOf(options, target, config));
  const header = earlier === undefined ? undefined : lastFailed(earlier, target, onlyCauses);
  if (earlier !== undefined && header === undefined) {
    const why = 'nothing failed there, and nothing that gates is undecided: nothing was sent';
    print(terminalBlock(`--last-failed ${earlier}: ${why}\n`));
    return exitCodes.conformant;
  }
  const resumed = resume === undefined ? undefined : resumedRun(out, target, options);
  const own = isNew ? extensionOf(options, config) : undefined;
  const settings = { ...settingsOf(asked, resumed, header, own), limits };
  const spent = resumed === undefined ? {} : spentBefore(out, target, resumed.header, settings);
  const times = options.repeat ?? 1;
  return runConformance(target, { ...settings, ...spent, ...displayOf(options), out, times, config });
}
