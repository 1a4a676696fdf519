import { isHinted, isRateLimit, takenAsRefusal } from '../reading/transient.ts';
import type { Attempt, Ending, Exchange } from '../model/exchange.ts';
import { createPatience, createPauses } from './patience.ts';
import { isTransient, nextStep, type Policy, type RetryLimits, retryAfter, type Step } from './retry.ts';
import type { AttemptRecord, Prepared, Sender } from './send.ts';
import { repeated } from './signature.ts';
import { createLanes } from './slots.ts';
import { createWeather } from './weather.ts';

export interface ExchangerOptions {
  readonly limits: RetryLimits;
  /** From 0 to 1; spreads the waits. */
  readonly random: () => number;
  /** Attempts under way at once while the target is not too busy for them; 8 by default. */
  readonly concurrency?: number;
}

/** Sends until a reply can be judged, within the limits. Rejects as `Sender.attempt` does. */
export type Exchanger = (prepared: Prepared, policy: Policy) => Promise<Exchange>;

/** After so many exchanges in a row that came to nothing, a route is tried once an exchange. */
const breakAfter = 3;

const noted = (record: AttemptRecord, waitedMs: number, again: string | null): Attempt => ({
  status: record.response?.status ?? null,
  ending: record.ending,
  bytes: record.response?.body.bytes ?? 0,
  startedAt: record.startedAt,
  ms: record.endMs,
  waitedMs,
  ...(again === null ? {} : { again }),
});

const endedWith = (ending: Ending, step: Extract<Step, { again: null }>): Ending => {
  if (step.refusal !== undefined) return { kind: ending.kind, detail: takenAsRefusal(step.refusal) };
  return step.gaveUp === undefined
    ? ending
    : { kind: ending.kind, detail: [ending.detail, step.gaveUp].filter(Boolean).join('; ') };
};

/** Statuses of a target that has too much to do. */
const busyStatuses = new Set([429, 503, 529]);

/** Builds the loop of attempts around a sender. Pauses, lanes and broken routes are shared by all its exchanges. */
export function createExchanger(
  sender: Sender,
  { limits, random, concurrency = 8 }: ExchangerOptions,
): Exchanger {
  const pauses = createPauses(limits);
  const patience = createPatience(limits);
  const weather = createWeather();
  const lanes = createLanes(concurrency);
  const failed = new Map<string, number>();
  let proven = false;
  /** Exchanges in a row, on any route, on which no reply began: the target is gone. */
  let silent = 0;

  const pauseLeft = (credential: string | undefined): number =>
    credential === undefined || pauses.spent(credential) ? 0 : pauses.left(credential);

  /** Waits for a lane and for the end of the pause, whichever is last. */
  const laneFor = async (credential: string | undefined, waited: number) => {
    let paused = 0;
    for (;;) {
      const rest = limits.waitingMs - waited - paused;
      const wait = Math.min(pauseLeft(credential), rest);
      if (wait > 0) await sender.sleep(wait);
      paused += Math.max(0, wait);
      const free = await lanes.take();
      if (pauseLeft(credential) <= 0 || waited + paused >= limits.waitingMs) return { free, paused };
      free(null);
    }
  };

  /** With the status of any refusal it is no limit where a refusal was hoped for, unless others were limited so. */
  const isLimit = (record: AttemptRecord, { expect }: Policy): boolean =>
    isRateLimit(record) && (expect === 'answer' || !isHinted(record) || weather.isWeather(record, expect));

  const isBusy = (record: AttemptRecord, policy: Policy): boolean | null => {
    const status = record.response?.status ?? 0;
    if (policy.expect === 'limited') return null;
    if (status === 429 || isLimit(record, policy)) return true;
    if (!busyStatuses.has(status)) return false;
    return policy.expect === 'answer' || weather.isWeather(record, policy.expect) ? true : null;
  };

  /** One limited reply among others holds up its own exchange; two in a row hold up all of the credential. */
  const notePause = (record: AttemptRecord, { credential }: Prepared, policy: Policy): void => {
    if (credential === undefined || policy.expect === 'limited') return;
    const limited = isLimit(record, policy);
    const again = pauses.note(credential, limited) && limited;
    const asked = retryAfter(record, Date.now());
    // Where it asks for more than is waited for, waiting less is of no use to anybody.
    if (again && asked !== null && asked <= limits.retryAfterMs) pauses.set(credential, asked);
  };

  const noteRoute = (route: string | undefined, transient: boolean): void => {
    if (route !== undefined) failed.set(route, transient ? (failed.get(route) ?? 0) + 1 : 0);
  };

  /** One attempt, and what all exchanges learn of it. */
  async function attempt(prepared: Prepared, policy: Policy, waited: number) {
    const { free, paused } = await laneFor(prepared.credential, waited);
    let busy: boolean | null = null;
    try {
      const record = await sender.attempt(prepared);
      busy = isBusy(record, policy);
      patience.note(record);
      notePause(record, prepared, policy);
      if (record.response !== null) silent = 0;
      return { record, paused };
    } finally {
      free(busy);
    }
  }

  /** Attempts in all that an exchange has now. */
  function mostAttempts({ credential, route }: Prepared, policy: Policy): number {
    const broken =
      silent >= breakAfter ||
      (route !== undefined && (failed.get(route) ?? 0) >= breakAfter) ||
      (credential !== undefined && pauses.spent(credential));
    const most = broken ? 1 : proven ? limits.attempts : limits.firstAttempts;
    return Math.min(most, policy.maxAttempts ?? most);
  }

  /** What an exchange came to, once it is over. */
  function noteEnd(prepared: Prepared, policy: Policy, history: readonly AttemptRecord[], step: Step): void {
    const last = history.at(-1);
    if (last === undefined) return;
    const isRefusal = step.again === null && step.refusal !== undefined;
    const transient = isTransient(last, policy) && !isRefusal;
    if (!transient) weather.note(history, policy.expect);
    // The same reply each time is a refusal that nothing vouches for: the route is not down for that.
    if (!transient || policy.expect === 'answer' || repeated(history) < limits.repeats)
      noteRoute(prepared.route, transient);
    if (last.ending.kind === 'unreachable') silent += 1;
  }

  return async (prepared, policy) => {
    const asked: Policy = { ...policy, maxAttempts: mostAttempts(prepared, policy) };
    const history: AttemptRecord[] = [];
    const attempts: Attempt[] = [];
    let waited = 0;
    let wait = 0;
    let vouched: string | null = null;
    let firstEnd = 0;
    for (;;) {
      const { record, paused } = await attempt(prepared, policy, waited + wait);
      wait += paused;
      waited += wait;
      history.push(record);
      if (repeated(history) <= 1) firstEnd = performance.now();
      proven ||= !isTransient(record, policy);
      const hopeless = patience.end();
      if (hopeless !== null) void sender.close(hopeless);
      const step: Step =
        hopeless === null
          ? nextStep(history, asked, {
              limits,
              waitedMs: waited,
              nowMs: Date.now(),
              random: random(),
              vouched,
              isWeather: (one) => weather.isWeather(one, policy.expect),
              isKnown: weather.isKnown,
            })
          : { again: null, gaveUp: hopeless };
      if (step.again === null) {
        const ending = endedWith(record.ending, step);
        attempts.push({ ...noted(record, wait, null), ending });
        noteEnd(prepared, policy, history, step);
        const { response, startedAt, headersMs, endMs, stallMs } = record;
        const timing = { startedAt, headersMs, endMs, stallMs };
        return { id: prepared.id, request: sender.shown(prepared), response, ending, timing, attempts };
      }
      attempts.push(noted(record, wait, step.again));
      await sender.sleep(step.waitMs);
      wait = step.waitMs;
      vouched = step.control && policy.control ? await policy.control(firstEnd) : null;
    }
  };
}
