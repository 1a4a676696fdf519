import { isObject } from '../../spec/json.ts';
import type { Attempt, Exchange, SentRequest } from '../types/exchange.ts';
import { parseJson } from './json.ts';
import type { RequestFacts } from './request-facts.ts';

/** A time in which a caller was refused or told to wait, always alike, after wrong requests, and which ended (7, 8). */
export interface LockOut {
  /** Token and model as they were sent. */
  readonly caller: string;
  readonly token: string;
  readonly status: number;
  readonly fingerprint: string | null;
  /** The exchange that shows it. */
  readonly exchange: string;
  /** When the last request of the caller was sent that was answered before it. */
  readonly answeredMs: number;
  /** The same of any caller, before it ended: an answer to another shows that not everybody was locked out. */
  readonly anyAnsweredMs: number;
  /** When the first refused attempt was sent, and when the first of the caller was that got past it. */
  readonly fromMs: number;
  readonly untilMs: number;
}

/** A request that has something wrong with it was sent. All times are milliseconds since 1970. */
export interface WrongSent {
  readonly id: string;
  readonly ms: number;
}

/** An exchange with what is known of its request and of its reply. */
export interface KnownExchange {
  readonly exchange: Exchange;
  readonly facts: RequestFacts;
  readonly isAnswered: boolean;
}

/** So many refused attempts in a row show that a control was refused, too. */
const fewestRefusals = 2;

const begunMs = ({ startedAt }: Pick<Attempt, 'startedAt'>): number => Date.parse(startedAt);

const busyStatuses = new Set<number | null>([429, 503]);

/** Whether a reply tells who is let in, or who has to wait; any other 5xx is a failure of the target. */
const mayTellLock = (status: number | null): boolean =>
  busyStatuses.has(status) || (status !== null && status >= 300 && status < 500);

/** The token of a request, as it is shown. */
const tokenOf = ({ headers }: SentRequest): string =>
  (headers.authorization ?? headers['x-api-key'] ?? '').replace(/^Bearer /, '');

/** Names the token and the model of a request as it was sent. */
export function callerOf(request: SentRequest): string {
  const parsed = parseJson(request.body ?? '');
  const model = parsed.ok && isObject(parsed.value) ? parsed.value.model : null;
  return JSON.stringify([tokenOf(request), model]);
}

/** The wrong requests among these, each with the time of its last attempt. */
export const wrongSentIn = (known: readonly KnownExchange[]): readonly WrongSent[] =>
  known
    .filter(({ facts: { credential, expect } }) => credential === 'wrong' || expect !== 'answer')
    .map(({ exchange }) => ({ id: exchange.repeats ?? exchange.id, ms: begunMs(exchange.timing) }));

/** Whether its last attempt got past whatever locks: answered, or refused in words that no lock has. */
function isPast({ exchange: { response, ending }, facts, isAnswered }: KnownExchange): boolean {
  if (facts.credential !== 'right' || facts.expect === 'limited') return false;
  if (isAnswered || facts.expect === 'answer' || response === null) return isAnswered;
  return ending.kind === 'complete' && !busyStatuses.has(response.status);
}

/** The attempts of an exchange that were refused alike, before the one that got past them. */
function refusedAttempts(own: KnownExchange): readonly Attempt[] {
  const before = own.exchange.attempts.slice(0, -1);
  const last = before.at(-1);
  if (last === undefined || !isPast(own) || !mayTellLock(last.status)) return [];
  const isOther = ({ fingerprint, ending }: Attempt): boolean =>
    ending.kind !== 'complete' || fingerprint !== last.fingerprint;
  const same = before.slice(before.findLastIndex(isOther) + 1);
  return same.length >= fewestRefusals ? same : [];
}

const latest = (times: readonly { readonly ms: number }[], until: number): number =>
  Math.max(...times.filter(({ ms }) => ms <= until).map(({ ms }) => ms));

/**
 * The lock-outs that recorded exchanges show: the caller was refused or told to wait from one answer to the next, and
 * something wrong was sent in between. What set it off is not asked (principle 4). Pure.
 * @param unrecorded further wrong requests that were sent
 */
export function lockOutsIn(
  known: readonly KnownExchange[],
  unrecorded: readonly WrongSent[] = [],
): readonly LockOut[] {
  const candidates = known.filter((own) => refusedAttempts(own).length > 0);
  if (candidates.length === 0) return [];
  const wrong = [...wrongSentIn(known), ...unrecorded];
  const past = known.filter(isPast).map(({ exchange, isAnswered }) => ({
    isAnswered,
    caller: callerOf(exchange.request),
    ms: begunMs(exchange.timing),
    fingerprint: exchange.attempts.at(-1)?.fingerprint ?? null,
  }));
  const answered = past.filter(({ isAnswered }) => isAnswered);
  return candidates.flatMap((own): readonly LockOut[] => {
    const { id, request } = own.exchange;
    const refused = refusedAttempts(own);
    const [first, last] = [refused[0], refused.at(-1)];
    if (first === undefined || last === undefined) return [];
    const [caller, fromMs, lastMs] = [callerOf(request), begunMs(first), begunMs(last)];
    const isOwn = (other: { readonly caller: string }): boolean => other.caller === caller;
    const answeredMs = latest(answered.filter(isOwn), fromMs);
    // A wrong request may be refused by the same lock-out, in words that it might have of its own.
    const after = past
      .filter(isOwn)
      .filter(({ ms, fingerprint }) => ms > fromMs + first.ms && fingerprint !== first.fingerprint);
    const untilMs = Math.min(...after.map(({ ms }) => ms));
    const isAfterWrong = wrong.some(({ ms }) => ms >= answeredMs && ms <= fromMs + first.ms);
    if (!Number.isFinite(answeredMs) || untilMs < lastMs || !isAfterWrong) return [];
    return [
      {
        caller,
        token: tokenOf(request),
        status: first.status ?? 0,
        fingerprint: first.fingerprint,
        exchange: id,
        answeredMs,
        anyAnsweredMs: latest(answered, untilMs - 1),
        fromMs,
        untilMs,
      },
    ];
  });
}

/**
 * Whether a refusal may be the reply of a lock, and no refusal of its request: it came in the same words while the
 * lock may have held. The first wrong request behind a valid one that was answered is none: nothing was locked yet. Of
 * those that are under way at once, none is known to be the first.
 * @param isLogin its credential is wrong, so that it is of no caller
 */
export function isReplyOfLock(
  { fingerprint, answeredMs, anyAnsweredMs, untilMs }: LockOut,
  reply: Pick<Attempt, 'fingerprint' | 'startedAt' | 'ms'> & { readonly id: string },
  wrong: readonly WrongSent[],
  isLogin: boolean,
): boolean {
  const at = begunMs(reply);
  const from = isLogin ? anyAnsweredMs : answeredMs;
  const isFirst = !wrong.some(({ id, ms }) => id !== reply.id && ms >= from && ms <= at + reply.ms);
  return reply.fingerprint === fingerprint && at >= from && at <= untilMs && !isFirst;
}

/** Whether a refused attempt of a valid request fell into a lock-out of its token, with whatever model. */
export const isWithinLock = (
  { token, fingerprint, answeredMs, untilMs }: LockOut,
  { request }: Exchange,
  attempt: Attempt,
): boolean =>
  attempt.fingerprint === fingerprint &&
  tokenOf(request) === token &&
  begunMs(attempt) >= answeredMs &&
  begunMs(attempt) <= untilMs;
