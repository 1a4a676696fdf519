import { isObject } from '../../spec/json.ts';
import type { Attempt, Exchange, SentRequest } from '../types/exchange.ts';
import { parseJson } from './json.ts';
import type { RequestFacts } from './request-facts.ts';

/** A lock-out that ended: valid requests of a caller were refused for a while after wrong ones, all alike. */
export interface LockOut {
  /** Token and model as they were sent. */
  readonly caller: string;
  readonly token: string;
  readonly status: number;
  readonly fingerprint: string | null;
  /** The exchange that shows it. */
  readonly exchange: string;
  /** The wrong request before it. */
  readonly trigger: string;
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
  /** Its credential is wrong, and it was not answered. */
  readonly isRefusedLogin: boolean;
}

/** An exchange with what is known of its request and of its reply. */
export interface KnownExchange {
  readonly exchange: Exchange;
  readonly facts: RequestFacts;
  readonly isAnswered: boolean;
}

/** A caller may be refused in the words of a wrong credential only after one was refused. */
const refusalStatuses = new Set<number | null>([401, 403]);
const overloadStatuses = new Set<number | null>([429, 503]);

/** A status that any refusal may have. */
export const isGeneralStatus = (status: number | null): boolean =>
  !refusalStatuses.has(status) && !overloadStatuses.has(status);

const isRefusalStatus = (status: number | null): boolean => status !== null && status >= 300 && status < 500;

/** Whether a gateway may tell a lock by such a status, to a request with a valid credential. */
export const mayTellLock = (status: number | null, { credential, expect }: RequestFacts): boolean =>
  credential === 'right' &&
  expect !== 'limited' &&
  (overloadStatuses.has(status) || (expect === 'answer' && isRefusalStatus(status)));

/** A status that tells of a lock only after refused logins. */
export const isToldAfterLogins = (status: number | null): boolean => !overloadStatuses.has(status);

/** So many replies in a row tell a lock-out from a login that is refused once. */
export const lockRepeats = 2;
/** What sets a lock-out off is so long ago at most, in milliseconds. */
export const triggerMs = 60_000;

const begunMs = ({ startedAt }: Pick<Attempt, 'startedAt'>): number => Date.parse(startedAt);

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
    .filter(
      ({ facts }) =>
        facts.credential === 'wrong' || (facts.credential === 'right' && facts.expect !== 'answer'),
    )
    .map(({ exchange, facts, isAnswered }) => ({
      id: exchange.repeats ?? exchange.id,
      ms: begunMs(exchange.timing),
      isRefusedLogin: facts.credential === 'wrong' && !isAnswered,
    }));

/** Whether its last attempt got past whatever locks: answered, or refused in words that no lock has. */
function isPast({ exchange: { response, ending }, facts, isAnswered }: KnownExchange): boolean {
  if (facts.credential !== 'right' || facts.expect === 'limited') return false;
  if (isAnswered || facts.expect === 'answer' || response === null) return isAnswered;
  return ending.kind === 'complete' && isGeneralStatus(response.status);
}

/** The attempts of an exchange that got the reply of a lock, before the one that got past it. */
function lockedAttempts(own: KnownExchange): readonly Attempt[] {
  const before = own.exchange.attempts.slice(0, -1);
  const last = before.at(-1);
  if (last === undefined || !isPast(own) || !mayTellLock(last.status, own.facts)) return [];
  const isOther = ({ fingerprint, ending }: Attempt): boolean =>
    ending.kind !== 'complete' || fingerprint !== last.fingerprint;
  const same = before.slice(before.findLastIndex(isOther) + 1);
  return same.length >= (isToldAfterLogins(last.status) ? lockRepeats : 1) ? same : [];
}

/** The last wrong request before a time: a refused login where the status asks for it. */
function triggerOf(wrong: readonly WrongSent[], own: string, { status }: Attempt, fromMs: number) {
  const before = wrong.filter(
    ({ id, ms, isRefusedLogin }) =>
      id !== own && ms <= fromMs && ms > fromMs - triggerMs && (isRefusedLogin || !isToldAfterLogins(status)),
  );
  return before.reduce<WrongSent | undefined>(
    (last, one) => (last && last.ms > one.ms ? last : one),
    undefined,
  );
}

/** Whether such a reply came before any request like the one that is thought to have set it off: a limit, or an overload. */
function isOlder(
  known: readonly KnownExchange[],
  wrong: readonly WrongSent[],
  trigger: WrongSent,
  reply: Attempt,
) {
  const first = Math.min(
    ...wrong.filter(({ isRefusedLogin }) => isRefusedLogin === trigger.isRefusedLogin).map(({ ms }) => ms),
  );
  return known.some(({ exchange }) =>
    exchange.attempts.some((each) => each.fingerprint === reply.fingerprint && begunMs(each) < first),
  );
}

const latest = (times: readonly { readonly ms: number }[], until: number): number =>
  Math.max(...times.filter(({ ms }) => ms <= until).map(({ ms }) => ms));

/**
 * The lock-outs that recorded exchanges show. One is told from a refusal, a limit or an overload now and then: it
 * came after wrong requests only, and held for every request of the caller until it ended. Pure.
 * @param unrecorded further wrong requests that were sent
 */
export function lockOutsIn(
  known: readonly KnownExchange[],
  unrecorded: readonly WrongSent[] = [],
): readonly LockOut[] {
  const candidates = known.filter((own) => lockedAttempts(own).length > 0);
  if (candidates.length === 0) return [];
  const wrong = [...wrongSentIn(known), ...unrecorded];
  const past = known.filter(isPast).map(({ exchange, isAnswered }) => ({
    caller: callerOf(exchange.request),
    ms: begunMs(exchange.timing),
    isAnswered,
    fingerprint: exchange.attempts.at(-1)?.fingerprint ?? null,
  }));
  const answered = past.filter(({ isAnswered }) => isAnswered);
  return candidates.flatMap((own): readonly LockOut[] => {
    const { id, request, repeats } = own.exchange;
    const locked = lockedAttempts(own);
    const [first, last] = [locked[0], locked.at(-1)];
    if (first === undefined || last === undefined) return [];
    const caller = callerOf(request);
    const [fromMs, lastMs] = [begunMs(first), begunMs(last)];
    const isOwn = (other: { readonly caller: string }): boolean => other.caller === caller;
    // A wrong request may be refused by the same lock-out, in words that it might have of its own.
    const after = past
      .filter(isOwn)
      .filter(({ ms, fingerprint }) => ms > fromMs + first.ms && fingerprint !== first.fingerprint);
    const untilMs = Math.min(...after.filter(({ ms }) => ms >= lastMs).map(({ ms }) => ms));
    const answeredMs = latest(answered.filter(isOwn), fromMs);
    const trigger = triggerOf(wrong, repeats ?? id, first, fromMs);
    const isInterrupted = after.some(({ ms }) => ms < lastMs);
    if (trigger === undefined || isInterrupted || !Number.isFinite(answeredMs)) return [];
    if (!isToldAfterLogins(first.status) && isOlder(known, wrong, trigger, first)) return [];
    const { fingerprint, status } = first;
    const anyAnsweredMs = latest(answered, untilMs - 1);
    return [
      {
        caller,
        token: tokenOf(request),
        status: status ?? 0,
        fingerprint,
        exchange: id,
        trigger: trigger.id,
        answeredMs,
        anyAnsweredMs,
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
