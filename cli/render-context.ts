import { accessSync, appendFileSync, constants, existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parseBaseline, readBaselineText } from '../fixtures/baseline/baseline.ts';
import { UsageError } from '../fixtures/target/errors.ts';
import { applyBaseline, type BaselineOutcome } from '../reporters/baseline/apply.ts';
import {
  type HistoryEntry,
  historyEntry,
  historyLine,
  isHistoryEntry,
  parseHistory,
} from '../reporters/history.ts';
import { applyPins } from '../reporters/pins/apply.ts';
import { type Impact, impacts } from '../spec/vocabulary.ts';
import type { Report } from '../suites/model/report.ts';
import { readBounded } from './bundle.ts';
import { type ExitCode, exitCodes } from './exit.ts';
import { countedRows, exitCodeOf } from './fail-on.ts';
import { pinsIn, type PinsText, readPins } from './pins-file.ts';

/** The file of DIR that holds the render context. */
export const renderContextFile = 'render-context.json';

/** What the renderings of a report show besides it: with both, they can be made again. */
export interface RenderContext {
  /** Earlier runs and this one, oldest first. */
  readonly history?: readonly HistoryEntry[];
  readonly baseline?: {
    readonly file: string;
    readonly text: string;
  };
  readonly pins?: PinsText;
}

/** Runs that are kept for the trend. */
const mostRuns = 30;

/** This day in UTC, as `YYYY-MM-DD`. */
export const today = (): string => new Date().toISOString().slice(0, 10);

/** What is known before a run. */
export interface RunInputs {
  readonly baseline: RenderContext['baseline'] | undefined;
  readonly pins: PinsText | undefined;
  /** The file that the run is appended to. */
  readonly historyFile: string | undefined;
  readonly history: readonly HistoryEntry[];
}

/** Reads a history that is there, and makes sure that a run can be appended. */
function readHistory(file: string): HistoryEntry[] {
  try {
    accessSync(existsSync(file) ? file : dirname(file), constants.W_OK);
  } catch (error) {
    throw new UsageError(
      `${file}: can't be written (${(error as NodeJS.ErrnoException).code}); name another file with --history FILE`,
    );
  }
  if (!existsSync(file)) return [];
  try {
    return parseHistory(readFileSync(file, 'utf8'));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(
      `${file}: ${code === undefined ? message : `can't be read (${code})`}; repair it, or name another file with --history FILE`,
    );
  }
}

function readBaseline(file: string): NonNullable<RenderContext['baseline']> {
  const text = readBaselineText(file);
  parseBaseline(file, text);
  return { file, text };
}

/**
 * Reads baseline and history before anything is sent. Without `--history` a history.jsonl in DIR is taken.
 * @throws UsageError where they can't be read
 */
export function readRunInputs(
  dir: string | undefined,
  options: {
    readonly baseline?: string | undefined;
    readonly pins?: string | undefined;
    readonly history?: string | undefined;
  },
): RunInputs {
  const historyOfDir = dir === undefined ? undefined : join(dir, 'history.jsonl');
  const ownHistory = historyOfDir !== undefined && existsSync(historyOfDir) ? historyOfDir : undefined;
  const historyFile = options.history ?? ownHistory;
  return {
    baseline: options.baseline === undefined ? undefined : readBaseline(options.baseline),
    pins: options.pins === undefined ? undefined : readPins(options.pins),
    historyFile,
    history: historyFile === undefined ? [] : readHistory(historyFile),
  };
}

/** The render context of the run that these inputs were read for. */
export function renderContextOf(
  report: Report,
  { baseline, pins, historyFile, history }: RunInputs,
): RenderContext {
  const earlier = history.filter(({ runId }) => runId !== report.run.id);
  const runs = historyFile === undefined ? [] : [...earlier, historyEntry(report)].slice(-mostRuns);
  return {
    ...(baseline === undefined ? {} : { baseline }),
    ...(pins === undefined ? {} : { pins }),
    ...(runs.length > 1 ? { history: runs } : {}),
  };
}

/** Appends the run to its history, where there is one. Throws UsageError where that can't be written. */
export function appendToHistory(
  report: Report,
  { historyFile, history }: RunInputs,
  clean: (text: string) => string,
): void {
  // A run that goes on after it was finished has its line.
  if (historyFile === undefined || history.at(-1)?.runId === report.run.id) return;
  try {
    appendFileSync(historyFile, clean(historyLine(historyEntry(report))));
  } catch (error) {
    throw new UsageError(`${historyFile}: can't be written (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** The report compared with its baseline, on the day of the run; undefined without a baseline. */
export const outcomeOf = (report: Report, { baseline }: RenderContext): BaselineOutcome | undefined =>
  baseline &&
  applyBaseline(report, parseBaseline(baseline.file, baseline.text), report.run.startedAt.slice(0, 10));

/** The report with what its pins make of it, where there are any. */
export const withPins = (report: Report, { pins }: Pick<RenderContext, 'pins'>): Report =>
  pins === undefined ? report : { ...report, pins: applyPins(report, pinsIn(pins)) };

/**
 * The exit code of a report with a baseline and pins: only what is new, stale, expired or unmatched, or a pinned
 * behaviour that changed, is 1.
 * @param failOn impacts whose failures count; a pin that changed and an entry that is stale or unmatched always do
 */
export function exitCodeAgainst(
  report: Report,
  outcome: BaselineOutcome | undefined,
  failOn: readonly Impact[] = impacts,
): ExitCode {
  if (report.pins !== undefined && report.pins.changed.length > 0) return exitCodes.nonConformant;
  if (outcome === undefined) return exitCodeOf(report, failOn);
  const rows = countedRows(report, failOn);
  const doesCount = (id: string): boolean => rows.some((row) => row.id === id);
  const isBroken =
    outcome.stale.length + outcome.unmatched.length > 0 ||
    outcome.newFailures.some(({ requirement }) => doesCount(requirement)) ||
    outcome.expired.some(({ entry }) => doesCount(entry.requirement));
  if (isBroken) return exitCodes.nonConformant;
  const judged = rows.some(({ verdict }) => verdict === 'pass' || verdict === 'fail');
  const isUndecided = report.run.partial || !judged || outcome.unjudged.length > 0;
  return isUndecided ? exitCodes.notJudged : exitCodes.conformant;
}

/** The text of the file; empty where there is no context, and so no file. */
export const renderContextText = (context: RenderContext): string =>
  Object.keys(context).length === 0 ? '' : `${JSON.stringify(context, null, 2)}\n`;

/** What is wrong with the file of a DIR, as far as the report shows it; earlier runs can't be checked. */
export function renderContextProblems({ context, text }: ReadContext, report: Report): readonly string[] {
  const last = context.history?.at(-1);
  return [
    ...(Object.keys(context).length > 0 && renderContextText(context) === text
      ? []
      : [`${renderContextFile} is not written as this suite writes it`]),
    ...(last === undefined || historyLine(last) === historyLine(historyEntry(report))
      ? []
      : [`${renderContextFile} ends with another run than that of report.json`]),
    ...(isDeepStrictEqual(withPins(report, context).pins, report.pins)
      ? []
      : [`report.json does not have the pins that ${renderContextFile} gives`]),
  ];
}

/** The file of a DIR; its context is empty where this suite did not write it. */
export interface ReadContext {
  readonly text: string;
  readonly context: RenderContext;
}

/** The render context of a DIR; undefined where there is none. */
export function readRenderContext(dir: string): ReadContext | undefined {
  const file = join(dir, renderContextFile);
  if (!existsSync(file)) return undefined;
  try {
    const text = readBounded(file);
    return { text, context: contextIn(text) };
  } catch {
    // Then the renderings differ from what report.json gives, and `verify` reports that.
    return { text: '', context: {} };
  }
}

/** A file with its text; undefined where it is none. */
function fileText(value: unknown): { file: string; text: string } | undefined {
  const { file, text } = (value ?? {}) as Readonly<Record<string, unknown>>;
  return typeof file === 'string' && typeof text === 'string' ? { file, text } : undefined;
}

/** The context that a text holds. Throws where it is not JSON, or its baseline is none. */
function contextIn(written: string): RenderContext {
  const { baseline, pins, history } = JSON.parse(written) as Partial<Record<keyof RenderContext, unknown>>;
  const [ownBaseline, ownPins] = [fileText(baseline), fileText(pins)];
  if (ownBaseline !== undefined) parseBaseline(ownBaseline.file, ownBaseline.text);
  if (ownPins !== undefined) pinsIn(ownPins);
  return {
    ...(ownBaseline === undefined ? {} : { baseline: ownBaseline }),
    ...(ownPins === undefined ? {} : { pins: ownPins }),
    ...(Array.isArray(history) && history.every(isHistoryEntry) ? { history } : {}),
  };
}
