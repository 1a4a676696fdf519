import { loadTarget } from '../../fixtures/target/config.ts';
import type { Config } from '../../fixtures/target/config-value.ts';
import type { BaselineOutcome } from '../../reporters/baseline/apply.ts';
import { noProgress, type Progress } from '../../reporters/progress.ts';
import type { Report } from '../../suites/types/report.ts';
import { runOnce } from '../run/run-once.ts';
import type { ExitCode } from '../exit.ts';
import { limitsOf, runLimitsOf } from '../options/limits.ts';
import { runRepeatedly } from '../run/repeat.ts';
import { settingsOf } from '../run/run-settings.ts';
import { requestOf, type RunOptions } from './options.ts';

/** What came of a run. */
export interface RunResult {
  readonly report: Report;
  /** What the command would end with: 0 conformant, 1 non-conformant or a regression, 3 not judged. */
  readonly exitCode: ExitCode;
  /** The report against its baseline, where `baseline` names one. */
  readonly baseline?: BaselineOutcome;
  /** DIR, where `out` names one. */
  readonly dir?: string;
  /** Why no certificate was given, where one was asked for; empty where it was given. */
  readonly certificateRefused?: readonly string[];
}

/** The progress of a run as a program follows it. */
const progressFor = (onProgress: RunOptions['onProgress']): Progress =>
  onProgress === undefined
    ? noProgress
    : {
        begin: () => undefined,
        exchange: (_, done, planned) => onProgress({ kind: 'exchange', done, planned }),
        wait: (milliseconds, reason) => onProgress({ kind: 'wait', milliseconds, reason }),
        end: () => undefined,
      };

/**
 * Judges a gateway, as the command `run` does. It prints nothing, takes no signal of the process, does not end it, and
 * writes only where `out` or `history` says so. A target that can't be reached is judged, too: all is inconclusive.
 * @param config path of a config file, or what such a file holds
 * @throws UsageError for a config or an option that is wrong, and a file that can't be read or written;
 * NotJudgedError where `signal` stops it before the first request
 */
export async function run(config: string | Config, options: RunOptions = {}): Promise<RunResult> {
  const asked = requestOf(options);
  const own = settingsOf(asked);
  const target = loadTarget(config, options.env ?? process.env);
  const limits = runLimitsOf(limitsOf(asked, target, config));
  const settings = { ...own, limits, ...(typeof config === 'string' ? { config } : {}) };
  const { repeat = 1 } = asked;
  const progress = progressFor(options.onProgress);
  const listener = {
    signal: options.signal ?? new AbortController().signal,
    warn: options.onWarning ?? (() => undefined),
  };
  const { report, exitCode, outcome, dir, certification } =
    repeat > 1
      ? await runRepeatedly(target, settings, repeat, {
          ...listener,
          progress: () => progress,
          tell: () => undefined,
        })
      : await runOnce(target, settings, { ...listener, progress });
  return {
    report,
    exitCode,
    ...(outcome === undefined ? {} : { baseline: outcome }),
    ...(dir === undefined ? {} : { dir }),
    ...(certification === undefined
      ? {}
      : { certificateRefused: certification.kind === 'refused' ? certification.blockers : [] }),
  };
}
