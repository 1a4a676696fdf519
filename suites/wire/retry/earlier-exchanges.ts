import type { Exchange } from '../../types/exchange.ts';
import type { Budget } from '../limits/budget.ts';
import type { AttemptRecord, Prepared } from '../send.ts';
import { type ExchangeOptions, readAttempt } from './attempt-reading.ts';
import type { CallerGate } from './caller-gate.ts';
import type { LoginWatch } from './login-watch.ts';
import type { TimeoutWatch } from './timeout-watch.ts';

/** An exchange of an earlier part of the run, with what it was sent for. */
export interface PastExchange {
  readonly exchange: Exchange;
  readonly prepared: Prepared;
  readonly own: ExchangeOptions;
}

export type PastEnd = ReturnType<typeof endOf>;

interface Learning {
  readonly timeouts: TimeoutWatch;
  readonly gate: CallerGate;
  readonly logins: LoginWatch;
  readonly budget: Budget;
  /** Told of each exchange, in the order in which they ended. */
  readonly note: (past: PastEnd) => void;
}

/** A time of the wall clock as one of `performance.now()`. */
const localTime = (iso: string): number => Date.parse(iso) - Date.now() + performance.now();

function endOf({ exchange, prepared, own }: PastExchange) {
  const { response, ending, timing, attempts } = exchange;
  const record: AttemptRecord = {
    response,
    ending,
    fingerprint: attempts.at(-1)?.fingerprint ?? null,
    ...timing,
  };
  return { exchange, prepared, own, record, reading: readAttempt(record, own, Date.now()) };
}

/** Takes what the attempts of an exchange used up off a budget. */
export function noteSpent({ exchange, own }: PastExchange, budget: Budget): void {
  const { attempts, response: reply } = exchange;
  const last = attempts.at(-1);
  for (const attempt of attempts) {
    const response = attempt === last ? reply : (attempt.response ?? null);
    budget.note(own.billing, { response, ending: attempt.ending });
  }
}

/**
 * What an earlier part of the run has shown of the target holds on, but what only lasts for a while.
 * @param underWay requests with a wrong credential that may have been sent and are not recorded
 */
export function learnFrom(past: readonly PastExchange[], underWay: number, learning: Learning): void {
  const { timeouts, gate, logins, budget, note } = learning;
  const ends = past.map(endOf);
  for (const one of ends) {
    const { exchange, prepared, own, reading, record } = one;
    const { attempts } = exchange;
    note(one);
    noteSpent(one, budget);
    const last = attempts.at(-1);
    const { timingKind } = prepared;
    const isWhatComes = timingKind.isAnswerDue ? reading.settled === 'answered' : reading.settled !== null;
    if (last?.gaveUp?.kind === 'no-reply-in-time') timeouts.noteSilent(timingKind);
    else if (reading.cause === 'oversize') timeouts.noteOversize(timingKind);
    else if (reading.cause !== 'timeout') timeouts.noteReply(timingKind, isWhatComes, record.endMs);
    const begunAt = localTime(record.startedAt);
    gate.note(prepared, own, { reading, begunAt, endedAt: begunAt + record.endMs });
    gate.end(prepared, own);
    if (own.facts.credential === 'wrong')
      for (const { startedAt, ms } of attempts) logins.noteWrong(localTime(startedAt) + ms);
  }
  for (const { own, reading, record } of ends)
    if (own.facts.credential === 'right' && reading.settled === 'answered')
      logins.noteAnswered(localTime(record.startedAt));
  for (let sent = 0; sent < underWay; sent += 1) logins.noteWrong(performance.now());
}
