import type { EvidenceView } from '../checks/evidence-view.ts';
import { begunMs, type Exchange } from '../types/exchange.ts';
import { retryPolicy } from '../wire/retry/policy.ts';

/** The target answered, and from some time on gave no reply at all, to the end of the run. */
export type Silence = NonNullable<ReturnType<typeof silenceIn>>;

/** Whether the target stopped answering during the run, and when; undefined where it did not. */
export function silenceIn(view: EvidenceView) {
  const exchanges = view.exchanges();
  const attempts = exchanges.flatMap((exchange) =>
    exchange.attempts.map((attempt) => ({ exchange, attempt })),
  );
  const lastMs = Math.max(
    ...attempts
      .filter(({ attempt }) => attempt.status !== null)
      .map(({ attempt }) => begunMs(attempt) + attempt.ms),
  );
  if (!Number.isFinite(lastMs)) return undefined;
  const lost = exchanges.filter((exchange) => {
    const last = exchange.attempts.at(-1);
    // A reply that is garbled shows that somebody is there.
    if (last === undefined || last.status !== null || last.ending.kind === 'garbled') return false;
    return begunMs(last) + last.ms >= lastMs;
  });
  const after = lost.filter(({ attempts: own }) => own.some((each) => begunMs(each) > lastMs));
  if (after.length < retryPolicy.brokenAfter) return undefined;
  const begins = (exchange: Exchange): number => begunMs(exchange.attempts[0] ?? { startedAt: '' });
  const underWay = lost.filter((exchange) => begins(exchange) <= lastMs);
  const first = [...lost].sort((one, other) => begins(one) - begins(other)).slice(0, 1);
  return {
    /** When the last reply ended, in ISO 8601. */
    since: new Date(lastMs).toISOString(),
    /** How many requests had a reply by then, and how many were sent since. */
    answered: exchanges.filter((exchange) => exchange.response !== null).length,
    unanswered: after.length,
    /** Those that were under way then, or the first one after it: one of them may have stopped the target. */
    suspects: (underWay.length > 0 ? underWay : first).map(({ id }) => id),
    exchanges: lost.map(({ id }) => id),
  };
}
