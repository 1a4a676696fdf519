import { loadTarget } from '../../fixtures/target/config.ts';
import { limitsOf, runLimitsOf } from '../limits.ts';
import type { ExitCode } from '../exit.ts';
import { type RunRequest, settingsOf } from '../run-settings.ts';
import { type CommonOptions, wantsColour } from '../terminal.ts';
import { type Display, runConformance } from '../terminal-run.ts';

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
  options: RunCommandOptions & { readonly config: string },
): Promise<ExitCode> {
  const { config, out } = options;
  const target = loadTarget(config, process.env);
  const limits = runLimitsOf(limitsOf(options, target, config));
  return runConformance(target, { ...settingsOf(options), ...displayOf(options), out, config, limits });
}
