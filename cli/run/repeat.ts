import { rmSync } from 'node:fs';
import type { Target } from '../../fixtures/target/target.ts';
import type { Progress } from '../../reporters/progress.ts';
import { withExtension } from '../../spec/extension.ts';
import { count } from '../../spec/text.ts';
import { createRepeats } from '../../suites/judge/repeated-runs/repeats.ts';
import type { Report } from '../../suites/types/report.ts';
import { startLimitsUse } from '../../suites/wire/limits/budget.ts';
import { certified, refuseForeign } from '../certificate/certify.ts';
import { evidenceIn, shownTarget } from '../files/evidence-file.ts';
import { exitCodes, NotJudgedError } from '../exit.ts';
import { finalReport, readRunInputs, type RunInputs } from './run-inputs.ts';
import { claimFolder } from '../files/folder.ts';
import { seedOf } from '../options/options.ts';
import { limitsFor, plannedRun } from './planned-run.ts';
import { refuseOtherRuns, runFolder } from '../files/repeated-folder.ts';
import { lockFolder } from '../files/run-lock.ts';
import { type Listener, type RunOutcome, runOnce } from './run-once.ts';
import type { Settings } from './run-settings.ts';
import { isMisdeclared } from '../../reporters/impact.ts';
import { askedAgain } from '../../suites/plan/asked-cases.ts';
import { planRun } from '../../suites/plan/plan.ts';
import type { AskedAgain } from '../../suites/types/profile.ts';

/** What came of a run, of what it asked again where it did not ask all. */
function outcomeText({ report, exitCode }: RunOutcome): string {
  const { scope, summary, verdict, requirements } = report;
  if (scope.again === undefined)
    return exitCode === exitCodes.conformant || summary.fail === 0
      ? verdict
      : `${verdict}, ${summary.fail} failed`;
  const asked = new Set(scope.again.requirements.map(({ id }) => id));
  const failed = requirements.filter((row) => row.verdict === 'fail').length;
  const passed = requirements.filter((row) => row.verdict === 'pass' && asked.has(row.id)).length;
  return `asked ${count(asked.size, 'requirement')} again, ${failed} failed, ${passed} passed`;
}

/** Why the next run does not begin; undefined where it may. */
function endOf({ aborted }: AbortSignal, spentMs: number, longestMs = Infinity): string | undefined {
  if (aborted) return 'stopped';
  return spentMs >= longestMs ? `--max-duration ${longestMs / 1000} is over` : undefined;
}

/** Whether no further run is of any use: nothing more may be sent, or nothing can be, or the config is to be mended. */
const isLast = ({ report, problems }: RunOutcome): boolean =>
  report.run.partial || report.run.requests === 0 || problems.length > 0 || isMisdeclared(report);

/** What the next run asks again of what those before it left open, with data of its own; nothing before the first. */
function againIn(
  target: Target,
  settings: Settings,
  first: RunOutcome | undefined,
  left: AskedAgain['requirements'],
): Pick<Settings, 'again'> {
  if (first === undefined) return {};
  const before = { plan: planRun(target, settings), evidence: new Map() };
  return { again: { ...askedAgain(first.report.run.id, left, before), repeated: true } };
}

/** Who started several runs and follows them. */
export interface RepeatListener extends Omit<Listener, 'progress'> {
  readonly progress: () => Progress;
  /** Takes what came of each run, in a line. */
  readonly tell: (text: string) => void;
}

/** Judges all once, then again and again what is left open, within the limits of one run. Throws what the first run throws. */
async function runAll(target: Target, asked: Settings, times: number, { tell, ...listener }: RepeatListener) {
  const { baseline: _, pins: _pins, history: _history, certificate: _none, out, ...settings } = asked;
  const repeats = createRepeats(times);
  const { limitsUse = startLimitsUse(settings.limits ?? {}), spentMs: before = 0 } = settings;
  const begunAt = performance.now();
  let first: RunOutcome | undefined;
  let last: RunOutcome | undefined;
  /** Why no further run began, where not all were judged and the last one does not say it. */
  let ended: string | undefined;
  for (let run = 1; run <= times; run += 1) {
    const left = first === undefined ? [] : repeats.left();
    if (first !== undefined && left.length === 0) {
      tell(`nothing is left to ask again after ${run - 1} of ${count(times, 'run')}`);
      break;
    }
    const spentMs = before + performance.now() - begunAt;
    ended = endOf(listener.signal, spentMs, settings.longestMs);
    if (last !== undefined && ended !== undefined) break;
    const seed = seedOf(settings.seed, run);
    const own = {
      ...settings,
      ...againIn(target, { ...settings, seed }, first, left),
      ...{ seed, limitsUse, spentMs, allure: false, repeat: { run, of: times } },
      ...(out === undefined ? {} : { out: runFolder(out, run) }),
    };
    try {
      // Each run has a signal of its own: what listens to it goes with the run.
      const signal = AbortSignal.any([listener.signal]);
      last = await runOnce(target, own, { ...listener, signal, progress: listener.progress() });
    } catch (error) {
      // It was stopped before its first request.
      ended = 'stopped';
      if (last !== undefined && error instanceof NotJudgedError) break;
      throw error;
    }
    first ??= last;
    repeats.add(last.report);
    tell(`run ${run} of ${times}, seed ${seed}: ${outcomeText(last)}`);
    if (isLast(last)) break;
  }
  if (last === undefined) throw new Error('no run was judged');
  return { report: repeats.merged(), last, ended };
}
type Runs = Awaited<ReturnType<typeof runAll>>;

/** Writes the report of all runs. */
function finish({ report: merged, last }: Runs, settings: Settings, inputs: RunInputs) {
  const { out: dir, failOn } = settings;
  // A run that was stopped goes on in its own folder.
  return { ...last, ...finalReport(merged, inputs, { ...last, dir, failOn }), dir, hasBegun: false };
}

/** How to go on where not all runs were judged. */
function shortfallText({ run }: Report, { ended }: Runs, dir: string | undefined): string | undefined {
  const { asked, runs } = run.repeat ?? { asked: 0, runs: [] };
  const last = runs.at(-1);
  if (!run.partial || last === undefined) return undefined;
  const why = last.partial ? ', the last one in part' : ended === undefined ? '' : `: ${ended}`;
  const told = `judged ${runs.length} of ${asked} runs${why}`;
  return last.partial && dir !== undefined
    ? `${told}; to finish that one: run --resume ${runFolder(dir, last.run)}, then judge ${dir} --out ${dir}`
    : told;
}

/** Claims DIR and takes what it holds of earlier runs away. */
function prepared(dir: string, { certificate }: Settings) {
  const folder = claimFolder(dir);
  refuseOtherRuns(folder.path);
  if (certificate !== undefined) refuseForeign(folder);
  const unlock = lockFolder(folder.path);
  folder.clear(true);
  rmSync(evidenceIn(folder.path), { force: true });
  return { folder, unlock };
}

/**
 * Judges a target once, or up to so many times, each time with the next seed, and writes each run to DIR/runs/NUMBER and the report
 * of all to DIR. The first run asks all, each other what those before left open. A run that was stopped is the last one.
 * @throws what `runOnce` throws
 */
export async function runRepeatedly(
  target: Target,
  settings: Settings,
  times: number,
  listener: RepeatListener,
): Promise<RunOutcome> {
  if (times === 1) return runOnce(target, settings, { ...listener, progress: listener.progress() });
  const limits = limitsFor(plannedRun(target, settings), settings, times);
  const inputs = readRunInputs(settings.out, settings);
  const { folder, unlock } = settings.out === undefined ? {} : prepared(settings.out, settings);
  try {
    const own = { ...settings, limits, ...(folder === undefined ? {} : { out: folder.path }) };
    const runs = await runAll(target, own, times, listener);
    const ran = finish(runs, own, inputs);
    const shortfall = shortfallText(ran.report, runs, settings.out);
    if (shortfall !== undefined) listener.warn(shortfall);
    // What is certified is all that DIR holds.
    unlock?.();
    const about = {
      dir: own.out,
      target: withExtension(settings.extension, () => shownTarget(target)),
      redactor: ran.redactor,
    };
    return { ...ran, ...certified(ran, about, settings.certificate) };
  } catch (error) {
    unlock?.();
    folder?.release();
    throw error;
  }
}
