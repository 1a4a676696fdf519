import { isObject } from '../spec/json.ts';
import type { Report } from '../suites/types/report.ts';
import { isWholeRun } from './scope-limits.ts';
import { overallWord, verdicts } from './wording.ts';

/** A run as the history remembers it: one line of history.jsonl. */
export interface HistoryEntry extends Pick<Report, 'verdict' | 'summary'> {
  readonly runId: string;
  readonly finishedAt: string;
  /** False for a run that was selected, stopped or left something out that can fail: its counts are those of a part. */
  readonly whole: boolean;
  readonly suite: Omit<Report['suite'], 'name'>;
}

/** What the history keeps of a report. */
export function historyEntry(report: Report): HistoryEntry {
  const { run, verdict, summary, suite } = report;
  const { version, requirementsDigest, openapiDigest } = suite;
  return {
    runId: run.id,
    finishedAt: run.finishedAt,
    verdict,
    summary,
    whole: isWholeRun(report),
    suite: { version, requirementsDigest, openapiDigest },
  };
}

/** An entry as a line, with its line break. */
export const historyLine = (entry: HistoryEntry): string => `${JSON.stringify(entry)}\n`;

const areTexts = (record: unknown, keys: readonly string[]): boolean =>
  isObject(record) && keys.every((key) => typeof record[key] === 'string');

const isOverallVerdict = (value: unknown): boolean =>
  typeof value === 'string' && Object.hasOwn(overallWord, value);

/** True for what `historyEntry` gives, whoever wrote it. */
export function isHistoryEntry(value: unknown): value is HistoryEntry {
  if (!isObject(value)) return false;
  const { summary } = value;
  return (
    areTexts(value, ['runId', 'finishedAt']) &&
    areTexts(value.suite, ['version', 'requirementsDigest', 'openapiDigest']) &&
    typeof value.whole === 'boolean' &&
    isOverallVerdict(value.verdict) &&
    isObject(summary) &&
    verdicts.every((key) => Number.isSafeInteger(summary[key]) && Number(summary[key]) >= 0)
  );
}

/**
 * The entries of a history, oldest first.
 * @throws Error for a line that is none, with its number
 */
export function parseHistory(text: string): HistoryEntry[] {
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      throw new Error(`line ${index + 1} is not JSON`);
    }
    if (!isHistoryEntry(value)) throw new Error(`line ${index + 1} is not a run of a history`);
    return [value];
  });
}
