import { join } from 'node:path';
import { configPlaces } from '../fixtures/target/config.ts';
import type { Target } from '../fixtures/target/target.ts';
import { renderBaselineText } from '../reporters/baseline/view.ts';
import { terminalBlock } from '../reporters/escape.ts';
import { createProgress, noProgress, type Progress } from '../reporters/progress.ts';
import { renderSummary } from '../reporters/terminal.ts';
import { describeCertification } from './certify.ts';
import { runOnce, type RunOutcome, type Settings } from './run-once.ts';
import type { ExitCode } from './exit.ts';
import { uncountedText } from './fail-on.ts';
import { reportToGitHub } from './github.ts';
import { onInterrupt } from './interrupt.ts';
import { runRepeatedly } from './repeat.ts';
import { resumeHint } from './resume.ts';
import { print, printError, summaryOptions } from './terminal.ts';

/** How a run is shown. */
export interface Display {
  readonly quiet: boolean;
  readonly colour: boolean;
  readonly debug: boolean;
}

/** A run of the command, or several: it always has a DIR. */
export type CommandSettings = Settings &
  Display & {
    readonly out: string;
    /** How often the target is judged. */
    readonly times: number;
  };

/** A terminal that can renew a line. */
const isLive = (stream: NodeJS.WriteStream): boolean => stream.isTTY === true && process.env.TERM !== 'dumb';

function progressOn(stream: NodeJS.WriteStream, { colour, limits }: CommandSettings): Progress {
  const rate = limits?.rate;
  const perMinute = rate && (rate.requests / rate.windowMs) * 60_000;
  return createProgress({ stream, isTTY: isLive(stream), colour: colour && isLive(stream), perMinute });
}

/** Prints what came of a run: what is wrong to stderr, the summary to stdout. */
function show(ran: RunOutcome & { readonly dir: string }, settings: CommandSettings): void {
  const { report, outcome, certification, dir, redactor } = ran;
  if (settings.debug && ran.problems.length > 0 && ran.printed !== '') printError(ran.printed);
  if (certification !== undefined) {
    const said = redactor.text(describeCertification(certification));
    if (certification.kind === 'certified') print(terminalBlock(said));
    else printError(said);
  }
  const uncounted = uncountedText(report, settings.failOn);
  if (uncounted !== undefined) printError(uncounted);
  const files = { html: join(dir, 'report.html'), json: join(dir, 'report.json') };
  reportToGitHub(dir, report, outcome, redactor);
  const baseline = outcome === undefined ? {} : { baseline: renderBaselineText(outcome, settings) };
  const placed = settings.config === undefined ? {} : { placeOf: configPlaces(settings.config) };
  print(redactor.text(renderSummary(report, { ...summaryOptions(settings), ...baseline, ...placed, files })));
  if (report.run.partial && ran.hasBegun && settings.config !== undefined)
    printError(resumeHint(settings.out, settings));
}

/**
 * Judges a target, with progress, results and the signals of a terminal.
 * @throws UsageError where nothing is selected or DIR can't be written, NotJudgedError where the user stops it before
 */
export async function runConformance(target: Target, settings: CommandSettings): Promise<ExitCode> {
  const interrupt = onInterrupt();
  try {
    const { quiet, times } = settings;
    const progress = () => (quiet ? noProgress : progressOn(process.stderr, settings));
    const listener = { signal: interrupt.signal, warn: printError };
    const ran =
      times > 1
        ? await runRepeatedly(target, settings, times, {
            ...listener,
            progress,
            tell: quiet ? () => undefined : printError,
          })
        : await runOnce(target, settings, { ...listener, progress: progress() });
    show({ ...ran, dir: ran.dir ?? settings.out }, settings);
    return ran.exitCode;
  } finally {
    interrupt.release();
  }
}
