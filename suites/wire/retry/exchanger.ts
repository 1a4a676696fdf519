import type { Exchange } from '../../types/exchange.ts';
import { refusalRepeats, sameReplies } from '../../reading/reply-history.ts';
import type { AttemptRecord, Prepared, Sender, TimingKind } from '../send.ts';
import { nextStep, type Progress, type Step } from './next-step.ts';
import type { ExchangeOptions, AttemptReading } from './attempt-reading.ts';
import { createCallerGate } from './caller-gate.ts';
import { createPacedSender, type PacedSenderOptions } from './paced-sender.ts';
import { createLoginWatch } from './login-watch.ts';
import { learnFrom, type PastEnd, type PastExchange } from './earlier-exchanges.ts';
import { acquirePermit, type Permit, withoutPermit, createSemaphore } from './semaphore.ts';
import { createRetryAfterClock, createTargetHealth } from './target-health.ts';
import { addAttempt, finished, type RunningExchange, sightingOf, waitFor } from './running-exchange.ts';
import { createTimeoutWatch } from './timeout-watch.ts';

export interface ExchangerOptions
  extends Pick<PacedSenderOptions, 'policy' | 'history' | 'budget' | 'pacer'> {
  /** From 0 to 1; spreads the waits. */
  readonly random: () => number;
  /** Exchanges under way at once, and attempts in flight while the target is not too busy for them. */
  readonly concurrency: number;
}

/** Sends requests until a reply can be judged, within the retry policy. */
export type Exchanger = ReturnType<typeof createExchanger>;

/** Exchanges under way at least, however limited the target is: a single one might wait while nobody sends. */
const fewestExchanges = 2;

/** A refusal in time does not show that what is answered comes in time. */
const isWhatComes = ({ response, ending }: AttemptRecord, { isAnswerDue }: TimingKind): boolean =>
  ending.kind === 'complete' && response !== null && (!isAnswerDue || response.status < 300);

/** What all exchanges share: what they learned of the target, and what they are limited by. */
type Shared = ReturnType<typeof shareOf>;

function shareOf(sender: Sender, { policy, history, random, concurrency, budget, pacer }: ExchangerOptions) {
  const exchanges = createSemaphore(concurrency, fewestExchanges);
  const clock = createRetryAfterClock(policy.retryAfterMs, policy.giveUpMs);
  const logins = createLoginWatch();
  const inFlight = createSemaphore(concurrency, 1, policy.longestPauseMs);
  const timeouts = createTimeoutWatch(policy.timeoutsInRow);
  const { patience } = timeouts;
  const pacing = { clock, exchanges, inFlight, budget, pacer, logins, patience, policy, history };
  return {
    ...{ sender, policy, history, random, exchanges, clock, logins },
    attempt: createPacedSender(sender, pacing),
    health: createTargetHealth(policy),
    timeouts,
    gate: createCallerGate(policy, logins.tighten),
    /** Statuses that came to the last attempt of an exchange, with its credential: they are no short outage unless one gets past. */
    lasting: new Set<string>(),
  };
}

/** The target may be proven by another exchange meanwhile. */
function mostAttempts({ health, policy }: Shared, { begunBroken, own }: RunningExchange): number {
  const most = begunBroken ? 1 : health.isProven() ? policy.attempts : policy.firstAttempts;
  return Math.min(most, own.maxAttempts ?? most);
}

/** What comes next as far as other exchanges tell that none of its kind gets a reply in time. */
async function unlessSilent(step: Step, { timeouts }: Shared, running: RunningExchange): Promise<Step> {
  const { prepared, own, readings, trial } = running;
  running.trial = undefined;
  if (readings.at(-1)?.cause !== 'timeout') {
    trial?.end();
    return step;
  }
  const after = timeouts.noteTimeout(prepared.timingKind, trial);
  if (after.kind === 'retry') running.trial = after.trial;
  const next = after.kind === 'wait' ? await withoutPermit(own.permit, after.over) : after.kind;
  return next === 'stop' ? { kind: 'stop', gaveUp: { kind: 'no-reply-in-time' } } : step;
}

const lastingKey = (
  status: number | null,
  { credential }: Prepared,
  expect: ExchangeOptions['facts']['expect'],
): string => JSON.stringify([status, credential, expect]);

async function stepAfter(shared: Shared, progress: Progress, running: RunningExchange): Promise<Step> {
  const { sender, health, policy, history, lasting, random } = shared;
  const givenUp = health.givenUp();
  if (givenUp !== null) {
    void sender.close(givenUp);
    return { kind: 'stop', gaveUp: givenUp };
  }
  const { prepared, own } = running;
  const { expect } = own.facts;
  /** What may be answered or refused is like one or the other. */
  const likes = expect === 'either' ? (['answer', 'refusal'] as const) : [expect];
  const isLasting = ({ status, fingerprint }: AttemptReading): boolean =>
    likes.some((like) => lasting.has(lastingKey(status, prepared, like))) &&
    history.passedAfterMs(fingerprint) === 0;
  const step = nextStep(progress, running.own, { policy, history, isLasting, random: random() });
  return unlessSilent(step, shared, running);
}

/** What an exchange shows of its route. */
function noteEnd(
  { health, history, lasting }: Shared,
  exchange: Exchange,
  prepared: Prepared,
  own: ExchangeOptions,
  last: AttemptReading,
): void {
  const { facts, isControl } = own;
  const { route } = prepared;
  const { attempts, ending } = exchange;
  const isJudged = last.transient === null || history.isRefusal(exchange, facts);
  const gaveUp = attempts.at(-1)?.gaveUp !== undefined;
  // The same reply each time may be a refusal without a control, and a limit is the token's: the route is not down.
  const isRoutes = gaveUp || facts.expect === 'answer' || sameReplies(attempts).length < refusalRepeats;
  // A control that is refused tells of its caller (principle 4): the route is that of others, too.
  if (isJudged || (isRoutes && !isControl && facts.expect !== 'limited')) health.noteRoute(route, isJudged);
  if (ending.kind === 'unreachable') health.noteUnreachable();
  // A control is sent too seldom to outlast a limit or an overload.
  const mayLast = last.cause === 'failure' || (last.cause !== null && !isControl);
  // Logins are limited for themselves, and each has the time that its limit takes.
  const isSample = facts.credential === 'right' && facts.expect !== 'either';
  if (mayLast && isSample && attempts.length > 1)
    lasting.add(lastingKey(last.status, prepared, facts.expect));
}

/** Sends one attempt, and tells what is shared of it. Gives what is known of the exchange by then. */
async function attemptOnce(shared: Shared, running: RunningExchange, wait: number) {
  const { attempt, gate, health, timeouts } = shared;
  const { prepared, own, attempts } = running;
  running.leave ??= await gate.enter(prepared, own);
  const { record, reading, pausedMs, begunAt } = await attempt(prepared, own, running.waitedMs + wait);
  running.waitedMs += wait + pausedMs;
  addAttempt(running, record, reading, wait + pausedMs);
  health.noteAttempt(record);
  const { timingKind } = prepared;
  if (reading.cause === 'oversize') timeouts.noteOversize(timingKind);
  else if (reading.cause !== 'timeout')
    timeouts.noteReply(timingKind, isWhatComes(record, timingKind), record.endMs);
  gate.note(prepared, own, { reading, begunAt });
  const sighting = sightingOf(running, begunAt);
  const closedMs = await gate.closedMs(prepared, own, { attempts, reading }, sighting.firstBegunAt);
  return { record, reading, begunAt, sighting, closedMs };
}

/** Sends attempts until the exchange is over. */
async function runAttempts(shared: Shared, running: RunningExchange): Promise<Exchange> {
  const { sender, gate } = shared;
  const { prepared, own, attempts, readings } = running;
  for (let wait = 0; ; ) {
    const { record, reading, begunAt, sighting, closedMs } = await attemptOnce(shared, running, wait);
    const { isControlAnswered } = sighting;
    const { waitedMs } = running;
    const maxAttempts = mostAttempts(shared, running);
    const progress = { attempts, readings, isControlAnswered, waitedMs, closedMs, maxAttempts };
    const step = await stepAfter(shared, progress, running);
    if (step.kind === 'stop') {
      const done = finished(running, record, sender.shown(prepared), step.gaveUp);
      noteEnd(shared, done, prepared, own, reading);
      // A limit that is due locks nobody out.
      if (own.isControl && own.facts.expect !== 'limited') gate.noteControl(prepared, { reading, begunAt });
      return done;
    }
    await waitFor(step, running, sighting, sender.sleep);
    wait = step.waitMs;
  }
}

async function exchangeOnce(shared: Shared, prepared: Prepared, own: ExchangeOptions): Promise<Exchange> {
  const { health, clock, gate } = shared;
  const begunBroken = health.isBroken(prepared.route) || clock.isSpent(prepared.credential);
  const begun = { attempts: [], readings: [], sightings: new Map(), waitedMs: 0 };
  const running: RunningExchange = { prepared, own, begunBroken, ...begun };
  try {
    return await runAttempts(shared, running);
  } finally {
    running.trial?.end();
    running.leave?.();
    gate.end(prepared, own);
  }
}

/** Builds the loop of attempts around a sender. What is learned of the target is shared by all its exchanges. */
export function createExchanger(sender: Sender, options: ExchangerOptions) {
  const shared = shareOf(sender, options);
  const { timeouts, gate, logins, health, exchanges, clock } = shared;
  const note = ({ record, exchange, prepared, own, reading }: PastEnd): void => {
    health.noteAttempt(record);
    noteEnd(shared, exchange, prepared, own, reading);
  };
  return {
    /** Resolves when another exchange may begin, one of a higher priority first. The control of an exchange that waits for it needs no permit of its own. */
    enter: (priority?: number): Promise<Permit> => acquirePermit(exchanges, priority),
    /** Whether requests of a timing kind still get replies in time; waits while one of a suspect kind is tried. */
    admits: timeouts.admits,
    /** Rejects as `Sender.attempt` does. */
    exchange: (prepared: Prepared, own: ExchangeOptions): Promise<Exchange> =>
      exchangeOnce(shared, prepared, own),
    /** Takes what an earlier part of the run recorded, in the order in which it ended; see `learnFrom`. */
    learn: (past: readonly PastExchange[], underWay: number): void =>
      learnFrom(past, underWay, { timeouts, gate, logins, budget: options.budget, note }),
    /** Sends each request of a credential once: nothing that it gets shows anything. */
    giveUp: clock.giveUp,
  };
}
