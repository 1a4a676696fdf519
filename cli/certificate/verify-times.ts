import { type Exchange, isExchange } from '../../suites/types/exchange.ts';
import type { RecordedRun } from '../files/read-evidence.ts';

/** How far the clock of the reader may be behind, and how far one may be set back during a run, in milliseconds. */
const [aheadMs, setBackMs] = [300_000, 1_000];

/** A part of a run: the time from which on it was under way, and the time at which it was over. */
interface Span {
  readonly what: string;
  readonly from: number;
  readonly to: number;
}

/** A time as this suite writes it, in UTC; NaN where it is none. */
function timeOf(text: string): number {
  const time = Date.parse(text);
  return Number.isFinite(time) && new Date(time).toISOString() === text ? time : Number.NaN;
}

/** What was sent, and what was waited before that. */
const exchangeSpans = ({ id, timing, attempts }: Exchange): readonly Span[] =>
  [{ startedAt: timing.startedAt, ms: timing.endMs, waitedMs: 0 }, ...attempts].flatMap(
    ({ startedAt, ms, waitedMs }) => {
      const [what, at] = [`exchange ${id}`, timeOf(startedAt)];
      return [
        { what, from: at, to: at + ms },
        { what, from: at - waitedMs, to: at },
      ];
    },
  );

/** Whether an attempt begins while the one before it is under way. */
const isOverlapping = ({ attempts }: Exchange): boolean =>
  attempts.some(({ startedAt }, at) => {
    const before = attempts[at - 1];
    return before !== undefined && timeOf(startedAt) + setBackMs < timeOf(before.startedAt) + before.ms;
  });

/** Times that can't be: no time at all, in the future, an end before its beginning, an exchange outside its run. */
export function timeProblems(run: RecordedRun, now: number): readonly string[] {
  const all = { what: 'the run', from: timeOf(run.header.startedAt), to: timeOf(run.finishedAt) };
  const exchanges = [...run.evidence.values()].filter(isExchange);
  const problemOf = ({ what, from, to }: Span): readonly string[] => {
    if (!Number.isFinite(from) || !Number.isFinite(to)) return [`${what} has no time of the calendar`];
    if (to < from) return [`${what} ends before it begins`];
    if (to > now + aheadMs) return [`${what} is in the future`];
    return from < all.from - setBackMs || to > all.to + setBackMs
      ? [`${what} is not within the time of the run`]
      : [];
  };
  return [
    // One exchange several times where its attempts are told, too.
    ...new Set([all, ...exchanges.flatMap(exchangeSpans)].flatMap(problemOf)),
    ...exchanges.filter(isOverlapping).map(({ id }) => `exchange ${id} begins again before it ends`),
  ];
}
