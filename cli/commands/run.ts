import { loadTarget } from '../../fixtures/target/config.ts';
import type { ExitCode } from '../exit.ts';
import { limitsOf, runLimitsOf } from '../options/limits.ts';
import { resumedRun } from '../run/resume.ts';
import { type RunRequest, settingsOf } from '../run/run-settings.ts';
import { type CommonOptions, wantsColour } from '../output/terminal.ts';
import { type Display, runConformance } from '../output/terminal-run.ts';

/** Options that say how a run is shown. */
export interface DisplayOptions extends CommonOptions {
  readonly quiet?: boolean;
}

/** How a run is shown as its options ask for it. */
export const displayOf = (options: DisplayOptions): Display => ({
  quiet: options.quiet ?? false,
  debug: options.debug ?? false,
  colour: wantsColour(options, process.stdout),
});

export type RunCommandOptions = RunRequest & DisplayOptions & { readonly out: string };

/** `run`: judges the target of a config file. */
export async function runCommand(
  options: RunCommandOptions & { readonly config: string; readonly resume?: string },
): Promise<ExitCode> {
  const { config, resume } = options;
  const out = resume ?? options.out;
  const asked = { ...options, out };
  // What is wrong with the options is told first.
  const begun = resume === undefined ? settingsOf(asked) : undefined;
  const target = loadTarget(config, process.env);
  const limits = runLimitsOf(limitsOf(options, target, config));
  const settings = begun ?? settingsOf(asked, resumedRun(out, target, options));
  const times = options.repeat ?? 1;
  return runConformance(target, { ...settings, ...displayOf(options), out, times, config, limits });
}
