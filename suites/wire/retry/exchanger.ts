import type { Attempt, Exchange } from '../../model/exchange.ts';
import type { GaveUp } from '../../model/reasons/exchange-reasons.ts';
import { refusalRepeats, type ReplyHistory, sameReplies } from '../../reading/reply-history.ts';
import type { Budget } from '../limits/budget.ts';
import type { Pacer } from '../limits/pacer.ts';
import type { AttemptRecord, Prepared, Sender } from '../send.ts';
import { nextStep, type Progress, type Step } from './next-step.ts';
import type { ExchangeOptions, AttemptReading, Permit } from './attempt-reading.ts';
import { createPacedSender } from './paced-sender.ts';
import { createLockWaits, type LockWait, withoutPermit } from './lock-wait.ts';
import { createLockWatch } from './lock-watch.ts';
import { createLoginWatch } from './login-watch.ts';
import { learnFrom, type PastExchange } from './earlier-exchanges.ts';
import type { RetryPolicy } from './policy.ts';
import { createRetryAfterClock } from './retry-after-clock.ts';
import { createSemaphore, type Semaphore } from './semaphore.ts';
import { createTargetHealth } from './target-health.ts';
import { createTimeoutWatch, type Trial } from './timeout-watch.ts';

export interface ExchangerOptions {
  readonly policy: RetryPolicy;
  /** What the recorded exchanges show about retryable replies; the exchanger only asks it. */
  readonly history: ReplyHistory;
  /** From 0 to 1; spreads the waits. */
  readonly random: () => number;
  /** Exchanges under way at once, and attempts in flight while the target is not too busy for them. */
  readonly concurrency: number;
  /** What all attempts together may use up. */
  readonly budget: Budget;
  /** How fast they may follow each other. */
  readonly pacer: Pacer;
}

/** Sends requests until a reply can be judged, within the retry policy. */
export interface Exchanger {
  /** Resolves when another exchange may begin, one of a higher priority first. The control of an exchange that waits for it needs no permit of its own. */
  readonly enter: (priority?: number) => Promise<Permit>;
  /** Whether requests of a timing kind still get replies in time; waits while one of a suspect kind is tried. */
  readonly admits: (timingKind: string) => Promise<boolean>;
  /** Rejects as `Sender.attempt` does. */
  readonly exchange: (prepared: Prepared, options: ExchangeOptions) => Promise<Exchange>;
  /**
   * Takes what an earlier part of the run recorded, in the order in which it ended.
   * @param underWay requests with a wrong credential that may have been sent and are not recorded
   */
  readonly learn: (past: readonly PastExchange[], underWay: number) => void;
}

const briefly = ({ response, ending, fingerprint, startedAt, endMs }: AttemptRecord, waitedMs: number) => ({
  status: response?.status ?? null,
  ending,
  fingerprint,
  bytes: response?.body.bytes ?? 0,
  startedAt,
  ms: endMs,
  waitedMs,
});

/** When a reply first came, and whether a control was answered since. */
interface Sighting {
  /** When it was asked for, in milliseconds of `performance.now()`. */
  readonly firstBegunAt: number;
  /** In milliseconds of `performance.now()`. */
  readonly firstEnd: number;
  isControlAnswered: boolean;
}

type Retry = Extract<Step, { kind: 'retry' }>;

/** What the loop of attempts keeps of an exchange that is under way. */
interface Running {
  readonly attempts: Attempt[];
  readonly readings: AttemptReading[];
  /** By fingerprint of the reply. */
  readonly sightings: Map<string | null, Sighting>;
  readonly begunBroken: boolean;
  readonly lock: LockWait;
  trial?: Trial | undefined;
}

/** The sighting of the last reply: a new one where it did not come before, or not since one that could be judged. */
function sightingOf({ attempts, sightings }: Running, firstBegunAt: number): Sighting {
  const fingerprint = attempts.at(-1)?.fingerprint ?? null;
  const known = sameReplies(attempts).length > 1 ? sightings.get(fingerprint) : undefined;
  const sighting = known ?? { firstBegunAt, firstEnd: performance.now(), isControlAnswered: false };
  sightings.set(fingerprint, sighting);
  return sighting;
}

/** Exchanges under way at least, however limited the target is: a single one might wait while nobody sends. */
const fewestExchanges = 2;

const isGood = ({ response, ending }: AttemptRecord): boolean =>
  ending.kind === 'complete' && response !== null && response.status < 300;

async function acquirePermit(exchanges: Semaphore, priority?: number): Promise<Permit> {
  let release: (() => void) | undefined = await exchanges.take(priority);
  return {
    release: () => {
      release?.();
      release = undefined;
    },
    reacquire: async () => {
      release ??= await exchanges.take(priority);
    },
  };
}

/** Builds the loop of attempts around a sender. What is learned of the target is shared by all its exchanges. */
export function createExchanger(sender: Sender, options: ExchangerOptions): Exchanger {
  const { policy, history, random, concurrency, budget, pacer } = options;
  const exchanges = createSemaphore(concurrency, fewestExchanges);
  const inFlight = createSemaphore(concurrency);
  const clock = createRetryAfterClock(policy.retryAfterMs, policy.giveUpMs);
  const health = createTargetHealth(policy);
  const timeouts = createTimeoutWatch(policy.timeoutsInRow);
  const locks = createLockWatch();
  const lockWaitOf = createLockWaits(policy, locks);
  const logins = createLoginWatch();
  const attempt = createPacedSender(sender, {
    clock,
    exchanges,
    inFlight,
    budget,
    pacer,
    logins,
    policy,
    history,
  });

  const isBroken = ({ credential, route }: Prepared): boolean =>
    health.isBroken(route) || clock.isSpent(credential);

  /** The target may be proven by another exchange meanwhile. */
  function mostAttempts({ begunBroken }: Running, { maxAttempts }: ExchangeOptions): number {
    const most = begunBroken ? 1 : health.isProven() ? policy.attempts : policy.firstAttempts;
    return Math.min(most, maxAttempts ?? most);
  }

  async function stepAfter(
    progress: Progress,
    prepared: Prepared,
    own: ExchangeOptions,
    running: Running,
  ): Promise<Step> {
    const givenUp = health.givenUp();
    if (givenUp !== null) {
      void sender.close(givenUp);
      return { kind: 'stop', gaveUp: givenUp };
    }
    const step = nextStep(progress, own, { policy, history, random: random() });
    if (progress.readings.at(-1)?.cause !== 'timeout') {
      running.trial?.end();
      running.trial = undefined;
      return step;
    }
    const after = timeouts.noteTimeout(prepared.timingKind, running.trial);
    if (after.kind === 'retry') running.trial = after.trial;
    const next = after.kind === 'wait' ? await withoutPermit(own.permit, after.over) : after.kind;
    return next === 'stop' ? { kind: 'stop', gaveUp: { kind: 'no-reply-in-time' } } : step;
  }

  /** What an exchange shows of its route. */
  function noteEnd(
    exchange: Exchange,
    { route }: Prepared,
    { facts }: ExchangeOptions,
    last: AttemptReading,
  ): void {
    const { attempts, ending } = exchange;
    const isJudged = last.transient === null || history.isRefusal(exchange, facts);
    const gaveUp = attempts.at(-1)?.gaveUp !== undefined;
    // The same reply each time may be a refusal without a control, and a limit is the token's: the route is not down.
    const isRoutes = gaveUp || facts.expect === 'answer' || sameReplies(attempts).length < refusalRepeats;
    if (isJudged || (isRoutes && facts.expect !== 'limited')) health.noteRoute(route, isJudged);
    if (ending.kind === 'unreachable') health.noteUnreachable();
  }

  function finished(prepared: Prepared, record: AttemptRecord, running: Running, gaveUp?: GaveUp): Exchange {
    const { response, ending, startedAt, headersMs, endMs, stallMs } = record;
    const last = running.attempts.at(-1);
    const attempts =
      last && gaveUp ? [...running.attempts.slice(0, -1), { ...last, gaveUp }] : running.attempts;
    const timing = { startedAt, headersMs, endMs, stallMs };
    return { id: prepared.id, request: sender.shown(prepared), response, ending, timing, attempts };
  }

  /** Waits, and sends the control where it is due; completes the last attempt with why another follows. */
  async function waitFor(step: Retry, { attempts, lock }: Running, sighting: Sighting, own: ExchangeOptions) {
    const last = attempts.at(-1);
    const { firstBegunAt, firstEnd } = sighting;
    if (!step.isLocked) await sender.sleep(step.waitMs, step.reason);
    else if (await lock.isHeld(attempts, firstBegunAt))
      await withoutPermit(own.permit, sender.sleep(step.waitMs, step.reason));
    const isDue = step.sendControl && !sighting.isControlAnswered;
    const control = isDue ? await own.control?.(firstEnd) : null;
    sighting.isControlAnswered ||= control?.answered === true;
    const sent = control ? { control: control.id } : {};
    if (last) attempts[attempts.length - 1] = { ...last, retry: step.reason, ...sent };
  }

  /** A refusal that is the reply of a lock-out is no end. */
  async function unlessLockedOut(
    step: Step,
    { attempts, readings }: Running,
    own: ExchangeOptions,
  ): Promise<Step> {
    const last = attempts.at(-1);
    const isRefused = step.kind === 'stop' && readings.at(-1)?.settled === 'refused';
    if (!isRefused || last === undefined || own.isLockedOut === undefined) return step;
    return (await withoutPermit(own.permit, own.isLockedOut(last)))
      ? { kind: 'retry', reason: { kind: 'lock-out' }, waitMs: 0, sendControl: false, isLocked: false }
      : step;
  }

  async function exchange(prepared: Prepared, own: ExchangeOptions): Promise<Exchange> {
    const lock = lockWaitOf(prepared, own);
    const running: Running = {
      attempts: [],
      readings: [],
      sightings: new Map(),
      begunBroken: isBroken(prepared),
      lock,
    };
    const { attempts, readings } = running;
    let waitedMs = 0;
    let wait = 0;
    try {
      for (;;) {
        await lock.admit();
        const { record, reading, pausedMs, begunAt } = await attempt(prepared, own, waitedMs + wait);
        wait += pausedMs;
        waitedMs += wait;
        attempts.push(briefly(record, wait));
        readings.push(reading);
        health.noteAttempt(record);
        if (reading.cause !== 'timeout') timeouts.noteReply(prepared.timingKind, isGood(record));
        const sighting = sightingOf(running, begunAt);
        const { isControlAnswered, firstBegunAt } = sighting;
        const lockedMs = await lock.note(attempts, { reading, begunAt }, firstBegunAt);
        const maxAttempts = mostAttempts(running, own);
        const progress = { attempts, readings, isControlAnswered, waitedMs, lockedMs, maxAttempts };
        const step = await unlessLockedOut(await stepAfter(progress, prepared, own, running), running, own);
        if (step.kind === 'stop') {
          const done = finished(prepared, record, running, step.gaveUp);
          noteEnd(done, prepared, own, reading);
          return done;
        }
        await waitFor(step, running, sighting, own);
        wait = step.waitMs;
      }
    } finally {
      running.trial?.end();
      lock.end();
    }
  }

  const learn: Exchanger['learn'] = (past, underWay) =>
    learnFrom(past, underWay, {
      timeouts,
      locks,
      logins,
      note: (one) => {
        health.noteAttempt(one.record);
        noteEnd(one.exchange, one.prepared, one.own, one.reading);
      },
    });

  const enter: Exchanger['enter'] = (priority) => acquirePermit(exchanges, priority);
  return { enter, admits: timeouts.admits, exchange, learn };
}
