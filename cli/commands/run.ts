import { loadTarget } from '../../fixtures/target/config.ts';
import { UsageError } from '../../fixtures/target/errors.ts';
import type { Target } from '../../fixtures/target/target.ts';
import { type CertifyOptions, certifySettings } from '../certify.ts';
import { runConformance, type Settings } from '../conformance.ts';
import type { ExitCode } from '../exit.ts';
import { type FailOnOptions, failOnOf } from '../fail-on.ts';
import { type DepthOptions, depthOf, freshSeed, type SelectionOptions, selectionOf } from '../options.ts';
import { resumedRun } from '../resume.ts';
import { type CommonOptions, wantsColour } from '../terminal.ts';
import { asksAllThatCanFail, defaultConcurrency, depthIn } from '../../suites/model/profile.ts';

/** Options that say how a run goes. */
export interface RunCommandOptions extends CommonOptions, SelectionOptions, DepthOptions, FailOnOptions {
  readonly out: string;
  readonly concurrency?: number;
  readonly seed?: number;
  /** Milliseconds of one request. */
  readonly timeout: number;
  /** Milliseconds of the whole run. */
  readonly maxDuration: number;
  readonly quiet?: boolean;
}

/** The user's own files: those that a run is compared with, and one that it is appended to. */
export interface OwnFileOptions {
  readonly baseline?: string;
  readonly pins?: string;
  readonly history?: string;
}

/** The settings of a run as its options ask for them. */
export const settingsOf = (options: RunCommandOptions): Settings => ({
  out: options.out,
  seed: options.seed ?? freshSeed(),
  concurrency: options.concurrency ?? defaultConcurrency[depthOf(options).profile],
  timeoutMs: options.timeout,
  longestMs: options.maxDuration,
  selection: selectionOf(options),
  ...depthOf(options),
  failOn: failOnOf(options),
  quiet: options.quiet ?? false,
  debug: options.debug ?? false,
  colour: wantsColour(options, process.stdout),
});

/** The settings of the rest of a run: what it asks is in its evidence, how it goes in the options. */
function resumedSettings(dir: string, target: Target, options: RunCommandOptions): Settings {
  const resumed = resumedRun(dir, target, options);
  const { seed, selection, profile } = resumed.header;
  const how = settingsOf({ ...options, profile, out: dir });
  return { ...how, seed, selection, ...depthIn(resumed.header), resumed };
}

/** `run`: judges the target of a config file. */
export async function runCommand(
  options: RunCommandOptions &
    CertifyOptions &
    OwnFileOptions & { readonly config: string; readonly resume?: string },
): Promise<ExitCode> {
  const { baseline, pins, history, config, resume, shard, seed } = options;
  if (shard !== undefined && seed === undefined)
    throw new UsageError(
      '--shard needs --seed: the same number for all shards of a run, and another for each run, such as that of the pipeline',
    );
  const target = loadTarget(config, process.env);
  const own = resume === undefined ? settingsOf(options) : resumedSettings(resume, target, options);
  const certificate = certifySettings(options, own.out);
  const settings = { ...own, certificate, baseline, pins, history, config };
  const chosen = Object.values(settings.selection).some((names) => names.length > 0);
  if (certificate !== undefined && chosen) {
    throw new UsageError(
      '--certify covers all that the target declares: leave out --suite, --requirement, --family and --group',
    );
  }
  if (certificate !== undefined && !asksAllThatCanFail(settings))
    throw new UsageError(
      '--certify asks for all that can fail: take --profile standard or full, and leave out --skip-costly',
    );
  return runConformance(target, settings);
}
