import { accessSync, appendFileSync, constants, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { mostHistoryBytes, readText } from '../../fixtures/files/bounded.ts';
import { parseBaseline, readBaselineText } from '../../fixtures/baseline/baseline.ts';
import { UsageError } from '../../fixtures/target/errors.ts';
import { type HistoryEntry, historyEntry, historyLine, parseHistory } from '../../reporters/history.ts';
import { given } from '../../spec/present.ts';
import { withExtension } from '../../spec/extension.ts';
import { partOf } from '../../spec/part.ts';
import type { Depth } from '../../suites/types/profile.ts';
import { withWriteErrors } from '../files/folder.ts';
import { readPins } from '../files/pins-file.ts';
import { type RenderContext, outcomeOf, withPins } from '../files/render-context.ts';
import type { Report } from '../../suites/types/report.ts';
import type { Redactor } from '../../suites/wire/redaction/redact.ts';
import { cleanReport, writeReport } from '../files/artefacts.ts';
import { exitCodes } from '../exit.ts';
import { exitCodeAgainst, type FailOn } from './fail-on.ts';

/** Runs that are kept for the trend. */
const mostRuns = 30;

/** Files that a run is compared with, by the names of the options. */
export interface RunFiles extends Pick<Depth, 'extension'> {
  /** Failures that are expected. */
  readonly baseline?: string | undefined;
  readonly pins?: string | undefined;
  /** The runs before, to which this one is appended; without it, a history.jsonl that DIR has. */
  readonly history?: string | undefined;
  /** Folders in DIR of what is judged apart, behind this run. */
  readonly ownFolders?: readonly string[];
}

const otherHistoryHint = 'name another file with --history FILE';

/** Reads a history that is there, and makes sure that a run can be appended. */
function readHistory(file: string): HistoryEntry[] {
  const place = existsSync(file) ? file : dirname(file);
  withWriteErrors(file, () => accessSync(place, constants.W_OK), otherHistoryHint);
  if (!existsSync(file)) return [];
  try {
    return parseHistory(readText(file, mostHistoryBytes));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(
      `${file}: ${code === undefined ? message : `can't be read (${code})`}; repair it, or ${otherHistoryHint}`,
    );
  }
}

function readBaseline(file: string): NonNullable<RenderContext['baseline']> {
  const text = readBaselineText(file);
  parseBaseline(file, text);
  return { file, text };
}

/** The history that a DIR has. */
export function historyOf(dir: string): string | undefined {
  const file = join(dir, 'history.jsonl');
  return existsSync(file) ? file : undefined;
}

/** Reads baseline and history, by default DIR/history.jsonl, before anything is sent. Throws UsageError where it can't. */
export function readRunInputs(dir: string | undefined, options: RunFiles) {
  const { extension } = options;
  const part = extension && partOf(extension);
  const historyFile = options.history ?? (dir === undefined ? undefined : historyOf(dir));
  return {
    ...withExtension(extension, () => ({
      baseline: options.baseline === undefined ? undefined : readBaseline(options.baseline),
      pins: options.pins === undefined ? undefined : readPins(options.pins),
    })),
    ownFolders: options.ownFolders ?? [],
    /** The file that the run is appended to. */
    historyFile,
    history: (historyFile === undefined ? [] : readHistory(historyFile)).filter(
      (entry) => entry.part === part,
    ),
  };
}
export type RunInputs = ReturnType<typeof readRunInputs>;

/** The render context of the run that these inputs were read for. */
function renderContextOf(report: Report, { baseline, pins, ownFolders, historyFile, history }: RunInputs) {
  const earlier = history.filter(({ runId }) => runId !== report.run.id);
  const runs = historyFile === undefined ? [] : [...earlier, historyEntry(report)].slice(-mostRuns);
  const own = ownFolders.length > 0 ? ownFolders : undefined;
  return given({ baseline, pins, history: runs.length > 1 ? runs : undefined, own });
}

/** Appends the run to its history, where there is one. Throws UsageError where that can't be written. */
function appendToHistory(
  report: Report,
  { historyFile, history }: RunInputs,
  clean: (text: string) => string,
): void {
  // A run that goes on after it was finished has its line.
  if (historyFile === undefined || history.at(-1)?.runId === report.run.id) return;
  const line = clean(historyLine(historyEntry(report)));
  withWriteErrors(historyFile, () => appendFileSync(historyFile, line), otherHistoryHint);
}

/** Holds a report against baseline and pins, and writes it where there is a DIR, with its history. Throws UsageError. */
export function finalReport(
  judged: Report,
  inputs: RunInputs,
  to: {
    readonly dir: string | undefined;
    readonly redactor: Redactor;
    readonly failOn: FailOn;
    /** What went wrong in the suite itself: with any, the run proves nothing. */
    readonly problems?: readonly string[];
  },
) {
  const context = renderContextOf(judged, inputs);
  const report = cleanReport(withPins(judged, context), to.redactor);
  if (to.dir !== undefined) writeReport(to.dir, report, to.redactor, context);
  appendToHistory(report, inputs, to.redactor.text);
  const outcome = outcomeOf(report, context);
  const isBroken = (to.problems ?? []).length > 0;
  const exitCode = isBroken ? exitCodes.notJudged : exitCodeAgainst(report, outcome, to.failOn);
  return { report, outcome, exitCode };
}
export type FinalReport = ReturnType<typeof finalReport>;
