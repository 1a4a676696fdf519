import { isExchange } from '../../suites/types/exchange.ts';
import type { RecordedRun } from '../files/read-evidence.ts';

/** How far the clock of the reader may be behind, and how far one may be set back during a run, in milliseconds. */
const [aheadMs, setBackMs] = [300_000, 1_000];

/** A part of a run, with the time from which on it was under way, and the time at which it was over. */
type Span = readonly [what: string, from: number, to: number];

const exchangeSpans = ({ evidence }: RecordedRun): readonly Span[] =>
  [...evidence.values()].filter(isExchange).flatMap(({ id, timing, attempts }) => {
    const parts = [
      { startedAt: timing.startedAt, ms: timing.endMs },
      ...attempts.map(({ startedAt, ms }) => ({ startedAt, ms })),
    ];
    return parts.map(({ startedAt, ms }): Span => {
      const from = Date.parse(startedAt);
      return [`exchange ${id}`, from, from + ms];
    });
  });

/** Times that can't be: no time at all, in the future, an end before its beginning, an exchange outside its run. */
export function timeProblems(run: RecordedRun, now: number): readonly string[] {
  const [first, last] = [Date.parse(run.header.startedAt), Date.parse(run.finishedAt)];
  const problemOf = ([what, from, to]: Span): readonly string[] => {
    if (!Number.isFinite(from) || !Number.isFinite(to)) return [`${what} has no time of the calendar`];
    if (to < from) return [`${what} ends before it begins`];
    if (to > now + aheadMs) return [`${what} is in the future`];
    return from < first - setBackMs || to > last + setBackMs
      ? [`${what} is not within the time of the run`]
      : [];
  };
  // One exchange twice where both its last attempt and itself are told.
  return [...new Set([['the run', first, last] as const, ...exchangeSpans(run)].flatMap(problemOf))];
}
