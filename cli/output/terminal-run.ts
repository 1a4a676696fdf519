import { configPlaces } from '../../fixtures/target/config.ts';
import type { Target } from '../../fixtures/target/target.ts';
import { isMisdeclared } from '../../reporters/impact.ts';
import { createProgress, noProgress, type Progress } from '../../reporters/progress.ts';
import { type ExitCode, exitCodes } from '../exit.ts';
import { interruptible } from '../run/interrupt.ts';
import { exitCodeOfRuns, readyRunsOf } from '../run/own-run.ts';
import { runRepeatedly } from '../run/repeat.ts';
import { resumeHint } from '../run/resume.ts';
import type { RunOutcome } from '../run/run-once.ts';
import type { Settings } from '../run/run-settings.ts';
import { showCertification, showReport } from './show-report.ts';
import { printError } from './terminal.ts';

export type Display = Readonly<Record<'quiet' | 'colour', boolean>>;

/** A run of the command, or several: it always has a DIR. */
export type CommandSettings = Settings & Display & { readonly out: string; readonly times: number };

const isLive = (stream: NodeJS.WriteStream): boolean => stream.isTTY === true && process.env.TERM !== 'dumb';

function progressOn(stream: NodeJS.WriteStream, { colour, limits }: CommandSettings): Progress {
  const rate = limits?.rate;
  const perMinute = rate && (rate.requests / rate.windowMs) * 60_000;
  return createProgress({ stream, isTTY: isLive(stream), colour: colour && isLive(stream), perMinute });
}

/** Prints what came of a run: what is wrong to stderr, the summary to stdout. */
function show(ran: RunOutcome & { readonly dir: string }, settings: CommandSettings): void {
  const { report, outcome, certification, dir, redactor } = ran;
  if (certification !== undefined) showCertification(certification, redactor);
  const { colour, config, failOn } = settings;
  const placed = config === undefined ? {} : { placeOf: configPlaces(config) };
  showReport(report, { colour, dir, outcome, redactor, failOn, ...placed });
  // A run with another config begins anew.
  if (report.run.partial && ran.hasBegun && settings.config !== undefined && !isMisdeclared(report))
    printError(resumeHint(settings.out, settings));
}

async function runAndShow(target: Target, settings: CommandSettings, signal: AbortSignal): Promise<ExitCode> {
  const { quiet, times } = settings;
  const ran = await runRepeatedly(target, settings, times, {
    signal,
    warn: printError,
    progress: () => (quiet ? noProgress : progressOn(process.stderr, settings)),
    tell: quiet ? () => undefined : printError,
  });
  show({ ...ran, dir: ran.dir ?? settings.out }, settings);
  return ran.exitCode;
}

/** Judges a target on a terminal, and behind it what an extension states. Throws as `runOnce` does. */
export const runConformance = (target: Target, settings: CommandSettings): Promise<ExitCode> =>
  interruptible(async (signal) => {
    const codes: ExitCode[] = [];
    const begunAt = performance.now();
    for (const each of readyRunsOf(target, settings)) {
      if (codes.length > 0 && signal.aborted) return exitCodeOfRuns([...codes, exitCodes.notJudged]);
      codes.push(await runAndShow(target, { ...each, spentMs: performance.now() - begunAt }, signal));
    }
    return exitCodeOfRuns(codes);
  });
