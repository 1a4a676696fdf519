import { isPart } from '../spec/part.ts';
import { isObject } from '../spec/json.ts';
import { type JsonBounds, JsonError, strictJson } from '../spec/strict-json.ts';
import type { Report } from '../suites/types/report.ts';
import { partOfReport } from './report-queries.ts';
import { isWholeRun } from './scope-limits.ts';
import { overallWord, verdicts } from './wording.ts';

/** A run as the history remembers it: one line of history.jsonl. */
export interface HistoryEntry extends Pick<Report, 'verdict' | 'summary'> {
  readonly runId: string;
  /** What of own statements it judged, by its name; absent for a run of the interface. */
  readonly part?: string | undefined;
  readonly finishedAt: string;
  /** False for a run that was selected, stopped or left something out that can fail: its counts are those of a part. */
  readonly whole: boolean;
  readonly suite: Omit<Report['suite'], 'name'>;
}

/** What is kept of an entry, in the order in which it is written. */
function kept({ runId, part, finishedAt, verdict, summary, whole, suite }: HistoryEntry): HistoryEntry {
  const { version, requirementsDigest, openapiDigest } = suite;
  const ofSuite = { version, requirementsDigest, openapiDigest };
  return { runId, ...(part && { part }), finishedAt, verdict, summary, whole, suite: ofSuite };
}

export function historyEntry(report: Report): HistoryEntry {
  const { run, verdict, summary, suite } = report;
  const [part, whole] = [partOfReport(report), isWholeRun(report)];
  return kept({ runId: run.id, part, finishedAt: run.finishedAt, verdict, summary, whole, suite });
}

export const historyLine = (entry: HistoryEntry): string => `${JSON.stringify(entry)}\n`;

/** A history as this suite writes it: of each entry what it keeps, each run once. */
export const historyText = (entries: readonly HistoryEntry[]): string =>
  [...new Map(entries.map((entry) => [entry.runId, entry])).values()]
    .map((entry) => historyLine(kept(entry)))
    .join('');

const areTexts = (record: unknown, keys: readonly string[]): boolean =>
  isObject(record) && keys.every((key) => typeof record[key] === 'string');

/** True for what `historyEntry` gives, whoever wrote it. */
export function isHistoryEntry(value: unknown): value is HistoryEntry {
  if (!isObject(value)) return false;
  const { summary } = value;
  return (
    areTexts(value, ['runId', 'finishedAt', 'verdict']) &&
    (value.part === undefined || isPart(value.part)) &&
    areTexts(value.suite, ['version', 'requirementsDigest', 'openapiDigest']) &&
    typeof value.whole === 'boolean' &&
    Object.hasOwn(overallWord, String(value.verdict)) &&
    isObject(summary) &&
    verdicts.every((key) => Number.isSafeInteger(summary[key]) && Number(summary[key]) >= 0)
  );
}

/** What a line of a history stays far below. */
const bounds: JsonBounds = { depth: 8, string: 100_000, weight: 1_000_000 };

function parsed(line: string, number: number): unknown {
  try {
    return strictJson(Buffer.from(line), bounds).value;
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new Error(`line ${number}${error.key === '' ? '' : `, ${error.key},`} ${error.problem}`);
  }
}

/** The entries of a history, oldest first. Throws Error for a line that is none, with its number. */
export const parseHistory = (text: string): HistoryEntry[] =>
  text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const value = parsed(line, index + 1);
    if (!isHistoryEntry(value)) throw new Error(`line ${index + 1} is not a run of a history`);
    return [value];
  });
