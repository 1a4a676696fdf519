import { groupBy } from '../../spec/group-by.ts';
import { oncePer } from '../../spec/once.ts';
import { type Attempt, begunMs, type Exchange, isAnyWithin, type Span, spanOf } from '../types/exchange.ts';
import type { RequestFacts } from './request-facts.ts';
import { callerOf, modelOf, pathOf, tokenOf } from './sent-request.ts';
import { transientOf } from './transient.ts';

/** A time, now over, in which a caller got one and the same refusal after wrong requests: a lock-out (7, 8), or an outage. */
export interface LockOut {
  /** Token and model as they were sent. */
  readonly caller: string;
  readonly token: string;
  readonly model: unknown;
  /** Of the endpoint that shows it. */
  readonly path: string;
  readonly status: number;
  readonly fingerprint: string | null;
  /** The words in which valid requests got its status, by the path of their endpoint. */
  readonly words: ReadonlyMap<string, readonly (string | null)[]>;
  readonly exchange: string;
  /** When the last request of the caller was sent that was answered before it. */
  readonly answeredMs: number;
  /** The same of any caller, before it ended: an answer to another shows that not everybody was locked out. */
  readonly anyAnsweredMs: number;
  /** The same of any caller of the same model. */
  readonly modelAnsweredMs: number;
  /** When the first refused attempt was sent, and when the first of the caller was that got past it. */
  readonly fromMs: number;
  readonly untilMs: number;
}

/** An attempt of a request that may lock a caller out: it has something wrong with it, or a spent token. */
export interface WrongSent extends Span {
  readonly id: string;
  readonly isLimited: boolean;
}

export interface KnownExchange {
  readonly exchange: Exchange;
  readonly facts: RequestFacts;
  readonly isAnswered: boolean;
}

const busyStatuses = new Set<number | null>([429, 503]);

/** Whether its reply tells who is let in, or who has to wait; any other is a failure of the target. */
export const tellsLock = ({ status }: Pick<LockOut, 'status'>): boolean =>
  busyStatuses.has(status) || (status >= 300 && status < 500);

/** The attempts of the wrong requests among these. */
export const wrongSentIn = (known: readonly KnownExchange[]): readonly WrongSent[] =>
  known
    .filter(({ facts: { credential, expect } }) => credential === 'wrong' || expect !== 'answer')
    .flatMap(({ exchange: { id, repeats = id, attempts }, facts: { expect } }) =>
      attempts.map((attempt) => ({ ...spanOf(attempt), id: repeats, isLimited: expect === 'limited' })),
    );

/** Whether its last attempt got past whatever locks: answered, or refused in words that no lock has. */
function isPast({ exchange: { response, ending }, facts, isAnswered }: KnownExchange): boolean {
  if (facts.credential !== 'right' || facts.expect === 'limited') return false;
  if (isAnswered || facts.expect === 'answer' || response === null) return isAnswered;
  return ending.kind === 'complete' && !busyStatuses.has(response.status);
}

/** The attempts of a valid request that were refused alike: before an answer, or of a control. What came between ends no lock-out. */
function refusedAttempts({ exchange, facts, isAnswered }: KnownExchange): readonly (readonly Attempt[])[] {
  const { attempts, repeats, response } = exchange;
  if (facts.credential !== 'right' || facts.expect !== 'answer') return [];
  if (!isAnswered && repeats === undefined) return [];
  const before = isAnswered ? attempts.slice(0, -1) : attempts;
  // The page of a filter in front is no reply of the gateway, and so none of its lock-outs.
  const refused = before.filter(
    (attempt) =>
      attempt.ending.kind === 'complete' &&
      attempt.status !== null &&
      transientOf({ response, ...attempt })?.cause !== 'challenge',
  );
  return [...groupBy(refused, ({ fingerprint }) => String(fingerprint)).values()];
}

const latest = (times: readonly { readonly ms: number }[], until: number): number =>
  Math.max(...times.filter(({ ms }) => ms <= until).map(({ ms }) => ms));

type Refused = Pick<LockOut, 'path' | 'fingerprint'> & Pick<Attempt, 'status'>;

/** Whether two replies may be of one lock-out: in the same words, or on another endpoint with the same status. */
const isAlike = (one: Refused, other: Refused): boolean =>
  one.fingerprint === other.fingerprint || (one.path !== other.path && one.status === other.status);

/** What the lock-outs of a record are read from. */
type LockRecord = ReturnType<typeof recordOf>;
type Past = LockRecord['past'][number];
type Tried = LockRecord['tried'][number];

/** @param candidates the attempts of valid requests that may show a lock */
function recordOf(
  known: readonly KnownExchange[],
  candidates: readonly Pick<Candidate, 'own' | 'refused'>[],
) {
  /** The requests that got past whatever locks. */
  const past = known.filter(isPast).map(({ exchange, isAnswered }) => ({
    isAnswered,
    caller: callerOf(exchange.request),
    model: modelOf(exchange.request),
    ms: begunMs(exchange.timing),
    fingerprint: exchange.attempts.at(-1)?.fingerprint ?? null,
  }));
  /** The attempts of requests with a valid token, whatever came. */
  const tried = known
    .filter(({ facts }) => facts.credential === 'right')
    .flatMap(({ exchange: { request, attempts }, facts: { expect, isFollowing } }) => {
      const sent = { token: tokenOf(request), path: pathOf(request), isFollowing };
      const lastWords = attempts.at(-1)?.fingerprint;
      return attempts.map((attempt) => {
        const { fingerprint, status } = attempt;
        // What is wrong with a request explains what it gets in the end.
        const isOwn = expect !== 'answer' && fingerprint === lastWords;
        return { ...sent, fingerprint, status, isOwn, ms: begunMs(attempt) };
      });
    });
  /** The words in which valid requests got a status, by the path of their endpoint. */
  const wordsOf = oncePer((status: number | null): LockOut['words'] => {
    const own = candidates.flatMap(({ own: { exchange }, refused }) =>
      refused
        .filter((attempt) => attempt.status === status)
        .map(({ fingerprint }) => ({ path: pathOf(exchange.request), fingerprint })),
    );
    const byPath = [...groupBy(own, ({ path }) => path)];
    return new Map(byPath.map(([path, all]) => [path, all.map(({ fingerprint }) => fingerprint)]));
  });
  const answered = past.filter(({ isAnswered }) => isAnswered);
  return { wrong: wrongSentIn(known), past, answered, tried, wordsOf };
}

/** Refusals of one request, parted where its caller was answered between them: no lock-out outlasts that. */
const splitAt = (
  refused: readonly Attempt[],
  answered: readonly { readonly ms: number }[],
): readonly (readonly Attempt[])[] => [
  ...groupBy(refused, (attempt) => answered.filter(({ ms }) => ms < begunMs(attempt)).length).values(),
];

/** Tells of a time whether nobody was answered from it to a span, and within that. */
function quietAround(answered: readonly Past[], from: number, to: number): (ms: number) => boolean {
  const times = answered.map(({ ms }) => ms);
  if (times.some((ms) => ms >= from && ms <= to)) return () => false;
  const before = Math.max(...times.filter((ms) => ms < from));
  const after = Math.min(...times.filter((ms) => ms > to));
  return (ms) => ms > before && ms < after;
}

/** Attempts of a valid request that were refused alike, and what of its caller got past such a refusal. */
interface Candidate {
  readonly own: KnownExchange;
  readonly caller: string;
  readonly refused: readonly Attempt[];
  readonly ownPast: readonly Past[];
}

/** The lock-out that refused attempts of one request show, if they show one. */
function lockOutOf(
  { wrong, answered, tried, wordsOf }: LockRecord,
  { own, caller, refused, ownPast }: Candidate,
): LockOut | undefined {
  const { id, request } = own.exchange;
  const [first, last] = [refused[0], refused.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const [token, path, model] = [tokenOf(request), pathOf(request), modelOf(request)];
  const [fromMs, lastMs] = [begunMs(first), begunMs(last)];
  const answeredMs = latest(
    answered.filter((other) => other.caller === caller),
    fromMs,
  );
  const untilMs = Math.min(...ownPast.filter(({ ms }) => ms > fromMs + first.ms).map(({ ms }) => ms));
  const isEnded = untilMs >= lastMs && (own.isAnswered || Number.isFinite(untilMs));
  const isAfterWrong = isAnyWithin(wrong, { from: answeredMs, to: fromMs + first.ms });
  if (!Number.isFinite(answeredMs) || !isEnded || !isAfterWrong) return undefined;
  const refusal = { ...first, path };
  // Where nobody was answered between them, refusals of another token are of the same lock.
  const isQuiet = quietAround(answered, fromMs, lastMs);
  const isOfLock = (other: Tried): boolean =>
    other.token === token
      ? other.fingerprint === first.fingerprint && other.ms >= answeredMs && other.ms <= untilMs
      : !other.isOwn && isAlike(refusal, other) && isQuiet(other.ms);
  // What names an earlier reply may be refused for that: it is no control.
  const control = tried.find((other) => !other.isFollowing && isOfLock(other));
  const hasTwo = control !== undefined && tried.some((other) => other !== control && isOfLock(other));
  if (!hasTwo) return undefined;
  const ofModel = answered.filter((other) => other.model === model);
  return {
    ...{ caller, token, model, path, answeredMs, fromMs, untilMs, exchange: id },
    status: first.status ?? 0,
    fingerprint: first.fingerprint,
    words: wordsOf(first.status),
    anyAnsweredMs: latest(answered, untilMs - 1),
    modelAnsweredMs: latest(ofModel, untilMs - 1),
  };
}

/** The lock-outs that a record shows: a caller refused from one answer to the next, with something wrong in between (principle 4). Pure. */
export function lockOutsIn(known: readonly KnownExchange[]): readonly LockOut[] {
  const candidates = known.flatMap((own) => refusedAttempts(own).map((refused) => ({ own, refused })));
  if (candidates.length === 0) return [];
  const record = recordOf(known, candidates);
  return candidates.flatMap(({ own, refused }) => {
    const caller = callerOf(own.exchange.request);
    // A wrong request may be refused by the same lock-out, in words that it might have of its own.
    const ownPast = record.past.filter(
      (other) => other.caller === caller && other.fingerprint !== refused[0]?.fingerprint,
    );
    return splitAt(refused, ownPast).flatMap(
      (part) => lockOutOf(record, { own, caller, refused: part, ownPast }) ?? [],
    );
  });
}

/** A refusal that may be the reply of a lock. */
export interface MaybeLocked extends Pick<Attempt, 'fingerprint' | 'status' | 'startedAt' | 'ms'> {
  readonly id: string;
  readonly path: string;
  readonly model: unknown;
  /** As it was sent; null where it is wrong, so that it is of no caller. */
  readonly token: string | null;
}

/** A valid request that was answered. */
export type Answered = Pick<MaybeLocked, 'path' | 'model'> & { readonly ms: number };

/** The valid requests that were answered, by token. */
export const answersByToken = (known: readonly KnownExchange[]): ReadonlyMap<string, readonly Answered[]> => {
  const answered = known.filter(({ isAnswered, facts }) => isAnswered && facts.credential === 'right');
  const answers = answered.map(({ exchange: { request, timing } }) => ({
    token: tokenOf(request),
    path: pathOf(request),
    model: modelOf(request),
    ms: begunMs(timing),
  }));
  return groupBy(answers, ({ token }) => token);
};

/**
 * Whether a refusal may be the reply of a lock, and no refusal of its request: it came in the same words, or on another
 * endpoint with the same status, while the lock may have held, and before a valid request with its token was answered. The
 * first wrong request behind a valid one that was answered is none: nothing was locked yet. Of those that are under way
 * at once, none is known to be the first. A valid request with its token that was answered before the lock was seen, and
 * shares with the reply what the lock shares with it, would have been refused by it, too.
 */
export function isReplyOfLock(
  lock: LockOut,
  reply: MaybeLocked,
  wrong: readonly WrongSent[],
  answers: ReadonlyMap<string, readonly Answered[]>,
): boolean {
  const at = begunMs(reply);
  const { id, token, ms, model, path } = reply;
  const words = lock.words.get(path);
  // On an endpoint where valid requests show its words, others with the same status are none of it.
  if (words !== undefined && path !== lock.path && !words.includes(reply.fingerprint)) return false;
  const ofOthers = model === lock.model ? lock.modelAnsweredMs : lock.anyAnsweredMs;
  const from = token === null ? ofOthers : lock.answeredMs;
  if (!isAlike(lock, reply) || at < from || at > lock.untilMs) return false;
  const others = wrong.filter((other) => other.id !== id);
  if (!isAnyWithin(others, { from, to: at + ms })) return false;
  const isCovered = (each: Answered): boolean =>
    (model !== lock.model || each.model === model) && (path !== lock.path || each.path === path);
  return !(answers.get(token ?? '') ?? []).some((each) =>
    each.ms < lock.fromMs ? each.ms > at + ms && isCovered(each) : each.ms <= at && token !== lock.token,
  );
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
