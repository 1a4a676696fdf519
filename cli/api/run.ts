import { loadTarget } from '../../fixtures/target/config.ts';
import type { Config } from '../../fixtures/target/target.ts';
import type { BaselineOutcome } from '../../reporters/baseline/apply.ts';
import { noProgress, type Progress } from '../../reporters/progress.ts';
import { given } from '../../spec/present.ts';
import type { Report } from '../../suites/types/report.ts';
import { extensionOf } from '../run/own-options.ts';
import { exitCodeOfRuns, readyRunsOf } from '../run/own-run.ts';
import type { RunOutcome } from '../run/run-once.ts';
import type { ExitCode } from '../exit.ts';
import { limitsOf, runLimitsOf } from '../options/limits.ts';
import { runRepeatedly } from '../run/repeat.ts';
import { type Settings, settingsOf } from '../run/run-settings.ts';
import { checkedOptions, runChecks, runDefaults, type RunOptions } from '../options/run-options.ts';

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
  /** What came of the statements of `extend`; their exit code is in that above. */
  readonly own?: RunResult;
  /** What came of each path of `extend`, which its report names in `scope.extension.at`; their exit codes, too. */
  readonly ownPaths?: readonly RunResult[];
}

/** The progress of a run as a program follows it. */
const progressFor = (onProgress: RunOptions['onProgress']): Progress =>
  onProgress === undefined
    ? noProgress
    : {
        ...noProgress,
        exchange: (_, done, planned) => onProgress({ kind: 'exchange', done, planned }),
        wait: (milliseconds, reason) => onProgress({ kind: 'wait', milliseconds, reason }),
      };

/** The result of the interface with those of what an extension states in it; where it is not asked, the first of those. */
function joined(results: readonly RunResult[]): RunResult {
  const own = results.find(({ report: { scope } }) => scope.extension && scope.extension.at === undefined);
  const paths = results.filter(({ report }) => report.scope.extension?.at !== undefined);
  const [first] = results;
  if (first === undefined) throw new Error('nothing was judged');
  return given({
    ...first,
    own: own === first ? undefined : own,
    ownPaths: paths.length > 0 && paths[0] !== first ? paths : undefined,
    exitCode: exitCodeOfRuns(results.map(({ exitCode }) => exitCode)),
  });
}

/** The runs of the interface, and of each part of what an extension states. Throws UsageError for what is wrong with them. */
export function askedRuns(config: string | Config, options: RunOptions) {
  const asked = { ...runDefaults, ...checkedOptions(options, runChecks) };
  const base = settingsOf(asked, undefined, undefined, extensionOf(asked, config));
  const target = loadTarget(config, options.env ?? process.env, options.extend);
  const limits = runLimitsOf(limitsOf(asked, target, config));
  const all: Settings = { ...base, limits, ...(typeof config === 'string' ? { config } : {}) };
  return { target, runs: readyRunsOf(target, all) };
}

/** What came of each run, in their order; of those alone that began before `signal` stopped them. */
export async function resultsOf(
  { target, runs }: ReturnType<typeof askedRuns>,
  options: Pick<RunOptions, 'repeat' | 'signal' | 'onProgress' | 'onWarning'>,
): Promise<readonly RunResult[]> {
  const { repeat = 1, signal = new AbortController().signal } = options;
  const progress = progressFor(options.onProgress);
  const nothing = () => undefined;
  const listener = { signal, warn: options.onWarning ?? nothing, progress: () => progress, tell: nothing };
  const results: RunResult[] = [];
  const begunAt = performance.now();
  for (const each of runs) {
    if (results.length > 0 && signal.aborted) break;
    const settings = { ...each, spentMs: performance.now() - begunAt };
    results.push(resultOf(await runRepeatedly(target, settings, repeat, listener)));
  }
  return results;
}

/**
 * Judges a gateway, as the command `run` does. It prints nothing, takes no signal of the process, does not end it, and
 * writes only where `out` or `history` says so. A target that can't be reached is judged, too: all is inconclusive.
 * @param config path of a config file, or what such a file holds
 * @throws UsageError for a config or an option that is wrong, and a file that can't be read or written;
 * NotJudgedError where `signal` stops it before the first request
 */
export const run = async (config: string | Config, options: RunOptions = {}): Promise<RunResult> =>
  joined(await resultsOf(askedRuns(config, options), options));

const resultOf = ({ report, exitCode, outcome: baseline, dir, certification }: RunOutcome): RunResult => {
  const blockers = certification?.kind === 'refused' ? certification.blockers : [];
  return given({ report, exitCode, baseline, dir, certificateRefused: certification && blockers });
};
