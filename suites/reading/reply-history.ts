import type { Attempt, Exchange } from '../types/exchange.ts';
import { timesNeeded } from '../facts/exact-test.ts';
import type { RequestFacts } from './request-facts.ts';
import { hasCome, isRateLimit, isRefusalWithRetryAfter, mayBeRefusal, transientOf } from './transient.ts';

/** How often the same retryable reply must come, while a control is answered, to be a refusal. */
export const refusalRepeats = 4;
/** The same where the status is that of any refusal, and only Retry-After makes it retryable. */
export const refusalWithRetryAfterRepeats = 2;

/** What the recorded exchanges show about retryable replies: which passed, and which are refusals. */
export type ReplyHistory = Omit<ReturnType<typeof createReplyHistory>, 'note'>;

/** The words of a reply, by their fingerprint. */
type Words = string | null;

const isTransientAttempt = ({ retry }: Attempt): boolean =>
  retry?.kind === 'transient' || retry?.kind === 'confirm-refusal-with-retry-after';

const isClientError = (status: number): boolean => status >= 400 && status < 500;

const lastFingerprint = (attempts: readonly Attempt[]): Words => attempts.at(-1)?.fingerprint ?? null;

/** The attempts with the reply of the last one, since a reply that could be judged; what proves nothing does not count. */
export function sameReplies(attempts: readonly Attempt[]): readonly Attempt[] {
  const last = attempts.at(-1);
  if (last === undefined || !hasCome(last.ending) || last.fingerprint === null) return [];
  const isSame = (attempt: Attempt): boolean =>
    hasCome(attempt.ending) && attempt.fingerprint === last.fingerprint;
  const judged = attempts.findLastIndex((attempt) => !isSame(attempt) && !isTransientAttempt(attempt));
  return attempts.slice(judged + 1).filter(isSame);
}

/** The waits behind replies of an exchange that are alike, in milliseconds. */
const waitedBehind = (attempts: readonly Attempt[], fingerprint: Words): number =>
  attempts.reduce(
    (ms, { waitedMs }, at) => (attempts[at - 1]?.fingerprint === fingerprint ? ms + waitedMs : ms),
    0,
  );

/** What was noted of the exchanges that are over. */
type Noted = ReturnType<typeof nothingNoted>;

const nothingNoted = (isAnswered: (id: string) => boolean, level: number) => ({
  isAnswered,
  level,
  passedTimes: new Map<Words, number>(),
  passedAfter: new Map<Words, number>(),
  inRow: new Map<string, Map<Words, number>>(),
  validNoted: 0,
  passed: new Set<Words>(),
  passedByOthers: new Set<Words>(),
  ofSpentLimits: new Set<Words>(),
  /** A spent token was told its limit by 429. */
  hasLimitStatus: false,
  known: new Map<string, Set<Words>>(),
  knownStatuses: new Set<number>(),
  refusedLogins: [] as { readonly at: string; readonly fingerprint: Words }[],
});

/** Another exchange got past such a reply, or a spent limit gets it. Of a wrong credential neither counts: logins may be limited. */
const hasPassed = (noted: Noted, fingerprint: Words, { credential }: RequestFacts): boolean =>
  (credential === 'wrong' ? noted.passedByOthers : noted.passed).has(fingerprint) ||
  (credential === 'right' && noted.ofSpentLimits.has(fingerprint));

/** A retryable status after another refusal of an invalid token: logins may be limited, so it is no sample of how one is refused. */
const mayBeLoginLimit = (
  { refusedLogins, passedByOthers }: Noted,
  exchange: Exchange,
  { credential }: RequestFacts,
): boolean =>
  credential === 'wrong' &&
  transientOf(exchange)?.cause === 'status' &&
  !isRefusalWithRetryAfter(exchange) &&
  // What valid requests got past is told to anybody, and refuses no login.
  refusedLogins.some(
    ({ at, fingerprint }) => at < exchange.timing.startedAt && !passedByOthers.has(fingerprint),
  );

/** Requests of this kind got such a reply again and again, while a control was answered. */
const isKnownRefusal = (noted: Noted, fingerprint: Words, facts: RequestFacts): boolean =>
  facts.expect !== 'answer' &&
  !hasPassed(noted, fingerprint, facts) &&
  noted.known.get(facts.kind)?.has(fingerprint) === true;

/** It came again and again in this exchange, with a control answered in between where one is needed. */
function isRepeatedRefusal(
  noted: Noted,
  { attempts, response, ending }: Exchange,
  facts: RequestFacts,
): boolean {
  const seen = { response, ending };
  const same = sameReplies(attempts);
  if (hasPassed(noted, lastFingerprint(attempts), facts)) return false;
  if (isRefusalWithRetryAfter(seen) && facts.expect !== 'answer')
    return same.length >= refusalWithRetryAfterRepeats;
  if (!mayBeRefusal(seen, facts)) return false;
  const [first] = same;
  const from = first === undefined ? 0 : attempts.indexOf(first);
  const controls = attempts.slice(from, -1).flatMap(({ control }) => control ?? []);
  return same.length >= refusalRepeats && controls.some(noted.isAnswered);
}

/** Whether the retryable reply that an exchange ends with is the refusal of its request. */
function isRefusal(noted: Noted, exchange: Exchange, facts: RequestFacts): boolean {
  if (transientOf(exchange)?.cause !== 'status') return false;
  return (
    isRepeatedRefusal(noted, exchange, facts) ||
    isKnownRefusal(noted, lastFingerprint(exchange.attempts), facts)
  );
}

/** How often in a row it must come not to be what valid ones got past (principle 9); once, where it came so often to its like. */
function timesNeededFor(noted: Noted, fingerprint: Words, { kind, expect }: RequestFacts): number {
  const passedBy = noted.passedTimes.get(fingerprint) ?? 0;
  if (passedBy === 0) return 1;
  // Few requests show a rate badly: one more is counted to each side.
  const needed = timesNeeded((passedBy + 1) / (noted.validNoted + 2), noted.level);
  return expect !== 'answer' && (noted.inRow.get(kind)?.get(fingerprint) ?? 0) >= needed ? 1 : needed;
}

function addPassed(noted: Noted, fingerprint: Words, { credential }: RequestFacts): void {
  noted.passed.add(fingerprint);
  if (credential !== 'wrong') noted.passedByOthers.add(fingerprint);
}

function notePassed(noted: Noted, { attempts }: Exchange, facts: RequestFacts): void {
  const own = lastFingerprint(attempts);
  for (const { fingerprint } of attempts) if (fingerprint !== own) addPassed(noted, fingerprint, facts);
}

function noteValid(noted: Noted, { attempts }: Exchange): void {
  const { passedTimes, passedAfter } = noted;
  const own = lastFingerprint(attempts);
  noted.validNoted += 1;
  for (const fingerprint of new Set(attempts.map((attempt) => attempt.fingerprint))) {
    if (fingerprint === own) continue;
    passedTimes.set(fingerprint, (passedTimes.get(fingerprint) ?? 0) + 1);
    const ms = Math.max(passedAfter.get(fingerprint) ?? 0, waitedBehind(attempts, fingerprint));
    passedAfter.set(fingerprint, ms);
  }
}

/** How often a refusal came in a row to a request that no answer is due to. */
function noteInRow({ inRow }: Noted, { attempts }: Exchange, { kind }: RequestFacts): void {
  const own = lastFingerprint(attempts);
  const ofKind = inRow.get(kind) ?? new Map<Words, number>();
  ofKind.set(own, Math.max(ofKind.get(own) ?? 0, sameReplies(attempts).length));
  inRow.set(kind, ofKind);
}

/** An invalid token was refused by a reply that asks for no retry, or at first in other words than in the end. */
function noteLogin(noted: Noted, exchange: Exchange, { isInvalidToken }: RequestFacts): void {
  const { id, response, timing, attempts } = exchange;
  if (!isInvalidToken || response === null || noted.isAnswered(id)) return;
  const own = lastFingerprint(attempts);
  if (transientOf(exchange) === null) noted.refusedLogins.push({ at: timing.startedAt, fingerprint: own });
  for (const { status, fingerprint, startedAt: at } of attempts)
    if (status !== null && isClientError(status) && fingerprint !== own)
      noted.refusedLogins.push({ at, fingerprint });
}

/** A spent token may get its limit in two ways, and a limit that is not its own: neither of them passed. */
function noteSpent(noted: Noted, exchange: Exchange): void {
  const isOfLimits = exchange.response?.status === 429;
  // A target that has the status of limits tells another refusal by others, as to a token whose limit ended.
  if (isOfLimits || !noted.hasLimitStatus) noted.ofSpentLimits.add(lastFingerprint(exchange.attempts));
  noted.hasLimitStatus ||= isOfLimits;
}

function noteRefusal(noted: Noted, exchange: Exchange, facts: RequestFacts): void {
  const { known, knownStatuses } = noted;
  const own = lastFingerprint(exchange.attempts);
  const isSpent = facts.expect === 'limited';
  if (isSpent) noteSpent(noted, exchange);
  else notePassed(noted, exchange, facts);
  known.set(facts.kind, (known.get(facts.kind) ?? new Set()).add(own));
  if (!isSpent || !isRefusalWithRetryAfter(exchange)) knownStatuses.add(exchange.response?.status ?? 0);
}

/** Takes an exchange that is over; of a control that was sent again, the facts of the control. */
function note(noted: Noted, exchange: Exchange, facts: RequestFacts): void {
  const { attempts, repeats } = exchange;
  const isTransient = transientOf(exchange) !== null;
  if (facts.expect === 'answer' && facts.credential === 'right') noteValid(noted, exchange);
  if (facts.expect === 'refusal') noteInRow(noted, exchange, facts);
  // Of a spent token one that is sent again tells its limit, which nobody gets past.
  if (repeats !== undefined && facts.expect !== 'limited') {
    const last = attempts.at(-1);
    for (const attempt of attempts)
      if (isTransientAttempt(attempt) || (isTransient && attempt === last))
        addPassed(noted, attempt.fingerprint, facts);
  }
  noteLogin(noted, exchange, facts);
  if (!isTransient) {
    // A spent token that got something else behind its limit, such as a page, got past nothing.
    if (facts.expect !== 'limited') notePassed(noted, exchange, facts);
  } else if ((facts.expect === 'limited' && isRateLimit(exchange)) || isRefusal(noted, exchange, facts)) {
    noteRefusal(noted, exchange, facts);
  }
}

/** `level`: the greatest chance at which a single exact test fails anything. */
export function createReplyHistory(isAnswered: (id: string) => boolean, level: number) {
  const noted = nothingNoted(isAnswered, level);
  return {
    note: note.bind(undefined, noted),
    hasPassed: hasPassed.bind(undefined, noted),
    timesNeeded: timesNeededFor.bind(undefined, noted),
    /** The longest time that a valid request waited to get past such a reply, in milliseconds; 0 where none did. */
    passedAfterMs: (fingerprint: Words): number => noted.passedAfter.get(fingerprint) ?? 0,
    isKnownRefusal: isKnownRefusal.bind(undefined, noted),
    /** A refusal with this status and Retry-After was seen to repeat. */
    isKnownStatus: (status: number | null): boolean => status !== null && noted.knownStatuses.has(status),
    mayBeLoginLimit: mayBeLoginLimit.bind(undefined, noted),
    isRefusal: isRefusal.bind(undefined, noted),
  };
}
