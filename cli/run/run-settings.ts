import { type Extension, withExtension } from '../../spec/extension.ts';
import { UsageError } from '../../fixtures/target/errors.ts';
import { asksAllThatCanFail, defaultConcurrency, depthIn } from '../../suites/types/profile.ts';
import type { Depth, Repetition } from '../../suites/types/profile.ts';
import type { RunOptions } from '../../suites/types/run.ts';
import type { EarlierRuns } from '../../suites/run/execute-plan.ts';
import { type CertifySettings, certifySettings } from '../certificate/certify.ts';
import { type FailOn, failOnOf } from './fail-on.ts';
import { depthOf, freshSeed, selectionOf } from '../options/options.ts';
import type { RunRequest } from '../options/run-options.ts';
import type { Resumed } from './resume.ts';
import type { RunFiles } from './run-inputs.ts';

/** How a run goes, and where its results lie. */
export interface Settings extends Omit<RunOptions, 'signal'>, EarlierRuns, Depth, RunFiles {
  /** DIR of the contract; nothing is written without it. */
  readonly out?: string | undefined;
  readonly allure: boolean;
  readonly failOn: FailOn;
  readonly certificate?: CertifySettings | undefined;
  /** Official clients ask, too, when the run is over. */
  readonly interop: boolean;
  /** File of the declaration; absent where it was made without one. */
  readonly config?: string;
  /** The run that goes on in DIR; absent where one begins. */
  readonly resumed?: Resumed;
  /** Which of several runs of the same plan it is; absent where one is asked for. */
  readonly repeat?: Repetition;
  /** What the gateway states itself, which is asked in a run of its own behind this one. */
  readonly own?: Extension;
}

/** @throws UsageError where several runs are asked for with what is of one run */
function ensureRepeatable({ repeat = 1, shard, interop }: RunRequest): void {
  if (repeat === 1) return;
  if (shard !== undefined)
    throw new UsageError(
      '--repeat judges the whole plan each time, and --shard a part: leave one of them out',
    );
  if (interop)
    throw new UsageError(
      '--repeat judges several runs, and --interop lets the official clients ask once: take it in a run of its own, without --repeat',
    );
}

/**
 * The settings of a run as they are asked for.
 * @param resumed the run that goes on: what it asks is in its evidence, how it goes in what is asked for
 * @param header decides what is asked: of the run that goes on, or of one that asks again what another left failed
 * @throws UsageError for names that are unknown, and for a certificate of what is no full run
 */
export function settingsOf(asked: RunRequest, resumed?: Resumed, header = resumed?.header, own?: Extension) {
  const { out, baseline, pins, history, allure = true, interop = false, keepGoing = false } = asked;
  ensureRepeatable(asked);
  const certificate = certifySettings(asked, out);
  const depth = header ? depthIn(header) : depthOf(asked);
  if (depth.shard !== undefined && header === undefined && asked.seed === undefined)
    throw new UsageError(
      '--shard needs --seed: the same number for all shards of a run, and another for each run, such as that of the pipeline',
    );
  const settings: Settings = {
    out,
    seed: header?.seed ?? asked.seed ?? freshSeed(),
    concurrency: asked.concurrency ?? defaultConcurrency[depth.profile],
    timeoutMs: asked.timeout,
    longestMs: asked.maxDuration,
    selection: header?.selection ?? withExtension(own, () => selectionOf(asked)),
    ...depth,
    ...(resumed ? { resumed } : {}),
    ...(own ? { own } : {}),
    failOn: failOnOf(asked),
    allure,
    keepGoing,
    interop,
    certificate,
    baseline,
    pins,
    history,
  };
  if (certificate === undefined) return settings;
  if (Object.values(settings.selection).some((names) => names.length > 0))
    throw new UsageError(
      '--certify covers all that the target declares: leave out --suite, --requirement, --family and --group',
    );
  if (!asksAllThatCanFail(settings))
    throw new UsageError(
      '--certify asks for all that can fail: take --profile standard or full, and leave out --skip-costly',
    );
  return settings;
}
