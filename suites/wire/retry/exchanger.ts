import type { Exchange } from '../../types/exchange.ts';
import { refusalRepeats, type ReplyHistory, sameReplies } from '../../reading/reply-history.ts';
import type { Budget } from '../limits/budget.ts';
import type { Pacer } from '../limits/pacer.ts';
import type { AttemptRecord, Prepared, Sender } from '../send.ts';
import { nextStep, type Progress, type Step } from './next-step.ts';
import type { ExchangeOptions, AttemptReading } from './attempt-reading.ts';
import { createCallerGate } from './caller-gate.ts';
import { createPacedSender } from './paced-sender.ts';
import { createLoginWatch } from './login-watch.ts';
import { learnFrom, type PastExchange } from './earlier-exchanges.ts';
import { acquirePermit, type Permit, withoutPermit } from './permit.ts';
import type { RetryPolicy } from './policy.ts';
import { createRetryAfterClock } from './retry-after-clock.ts';
import {
  addAttempt,
  finished,
  type RunningExchange,
  sightingOf,
  unlessLockedOut,
  waitFor,
} from './running-exchange.ts';
import { createSemaphore } from './semaphore.ts';
import { createTargetHealth } from './target-health.ts';
import { createTimeoutWatch } from './timeout-watch.ts';

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

/** Exchanges under way at least, however limited the target is: a single one might wait while nobody sends. */
const fewestExchanges = 2;

const isGood = ({ response, ending }: AttemptRecord): boolean =>
  ending.kind === 'complete' && response !== null && response.status < 300;

/** Builds the loop of attempts around a sender. What is learned of the target is shared by all its exchanges. */
export function createExchanger(sender: Sender, options: ExchangerOptions): Exchanger {
  const { policy, history, random, concurrency, budget, pacer } = options;
  const exchanges = createSemaphore(concurrency, fewestExchanges);
  const inFlight = createSemaphore(concurrency);
  const clock = createRetryAfterClock(policy.retryAfterMs, policy.giveUpMs);
  const health = createTargetHealth(policy);
  const timeouts = createTimeoutWatch(policy.timeoutsInRow);
  const gate = createCallerGate(policy);
  const logins = createLoginWatch();
  const lasting = new Set<number | null>();
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
  function mostAttempts({ begunBroken, own }: RunningExchange): number {
    const most = begunBroken ? 1 : health.isProven() ? policy.attempts : policy.firstAttempts;
    return Math.min(most, own.maxAttempts ?? most);
  }

  async function stepAfter(progress: Progress, running: RunningExchange): Promise<Step> {
    const { prepared, own } = running;
    const givenUp = health.givenUp();
    if (givenUp !== null) {
      void sender.close(givenUp);
      return { kind: 'stop', gaveUp: givenUp };
    }
    const isLasting = (status: number | null): boolean => lasting.has(status);
    const step = nextStep(progress, own, { policy, history, isLasting, random: random() });
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
  ) {
    const { attempts, ending } = exchange;
    const isJudged = last.transient === null || history.isRefusal(exchange, facts);
    const gaveUp = attempts.at(-1)?.gaveUp !== undefined;
    // The same reply each time may be a refusal without a control, and a limit is the token's: the route is not down.
    const isRoutes = gaveUp || facts.expect === 'answer' || sameReplies(attempts).length < refusalRepeats;
    if (isJudged || (isRoutes && facts.expect !== 'limited')) health.noteRoute(route, isJudged);
    if (ending.kind === 'unreachable') health.noteUnreachable();
    if (last.cause === 'failure' && facts.expect === 'answer' && attempts.length > 1)
      lasting.add(last.status);
  }

  /** Sends attempts until the exchange is over. */
  async function runAttempts(running: RunningExchange): Promise<Exchange> {
    const { prepared, own, attempts, readings } = running;
    let waitedMs = 0;
    let wait = 0;
    for (;;) {
      running.leave ??= await gate.enter(prepared, own);
      const { record, reading, pausedMs, begunAt } = await attempt(prepared, own, waitedMs + wait);
      wait += pausedMs;
      waitedMs += wait;
      addAttempt(running, record, reading, wait);
      health.noteAttempt(record);
      if (reading.cause === 'oversize') timeouts.noteOversize(prepared.timingKind);
      else if (reading.cause !== 'timeout') timeouts.noteReply(prepared.timingKind, isGood(record));
      const sighting = sightingOf(running, begunAt);
      const { isControlAnswered, firstBegunAt } = sighting;
      gate.note(prepared, own.facts, { reading, begunAt });
      const closedMs = await gate.closedMs(prepared, own, { attempts, reading }, firstBegunAt);
      const maxAttempts = mostAttempts(running);
      const progress = { attempts, readings, isControlAnswered, waitedMs, closedMs, maxAttempts };
      const step = await unlessLockedOut(await stepAfter(progress, running), running);
      if (step.kind === 'stop') {
        const done = finished(running, record, sender.shown(prepared), step.gaveUp);
        noteEnd(done, prepared, own, reading);
        if (own.isControl) gate.noteControl(prepared, { reading, begunAt });
        return done;
      }
      await waitFor(step, running, sighting, sender.sleep);
      wait = step.waitMs;
    }
  }

  async function exchange(prepared: Prepared, own: ExchangeOptions): Promise<Exchange> {
    const begun = { prepared, own, begunBroken: isBroken(prepared) };
    const running: RunningExchange = { ...begun, attempts: [], readings: [], sightings: new Map() };
    try {
      return await runAttempts(running);
    } finally {
      running.trial?.end();
      running.leave?.();
    }
  }

  const learn: Exchanger['learn'] = (past, underWay) =>
    learnFrom(past, underWay, {
      timeouts,
      gate,
      logins,
      note: (one) => {
        health.noteAttempt(one.record);
        noteEnd(one.exchange, one.prepared, one.own, one.reading);
      },
    });

  const enter: Exchanger['enter'] = (priority) => acquirePermit(exchanges, priority);
  return { enter, admits: timeouts.admits, exchange, learn };
}
