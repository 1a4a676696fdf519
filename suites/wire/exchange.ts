import { takenAsRefusal } from '../reading/transient.ts';
import type { Attempt, Ending, Exchange } from '../model/exchange.ts';
import { createPacing } from './pacing.ts';
import { createPatience } from './patience.ts';
import type { RetryLimits } from './limits.ts';
import { isTransient, type Policy, type Step } from './policy.ts';
import { nextStep } from './retry.ts';
import type { AttemptRecord, Prepared, Sender } from './send.ts';
import { repeated, signature } from './signature.ts';
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

/** What an exchange knows of one reply that it was given, now or before. */
interface Like {
  /** When it first came, in milliseconds of `performance.now()`. */
  readonly firstEnd: number;
  /** The control that was answered since. */
  vouched: string | null;
}

/** Builds the loop of attempts around a sender. What is learned of the target is shared by all its exchanges. */
export function createExchanger(
  sender: Sender,
  { limits, random, concurrency = 8 }: ExchangerOptions,
): Exchanger {
  const patience = createPatience(limits);
  const weather = createWeather();
  const pacing = createPacing(sender, weather, { limits, concurrency });
  const failed = new Map<string, number>();
  let proven = false;
  /** Exchanges in a row, on any route, on which no reply began: the target is gone. */
  let silent = 0;

  const noteRoute = (route: string | undefined, transient: boolean): void => {
    if (route !== undefined) failed.set(route, transient ? (failed.get(route) ?? 0) + 1 : 0);
  };

  const isBroken = ({ credential, route }: Prepared): boolean =>
    silent >= breakAfter ||
    (route !== undefined && (failed.get(route) ?? 0) >= breakAfter) ||
    pacing.isSpent(credential);

  /** What an exchange came to, once it is over. */
  function noteEnd(prepared: Prepared, policy: Policy, history: readonly AttemptRecord[], step: Step): void {
    const last = history.at(-1);
    if (last === undefined) return;
    const isRefusal = step.again === null && step.refusal !== undefined;
    const transient = isTransient(last, policy) && !isRefusal;
    if (!transient) weather.note(history, policy.expect);
    if (policy.beside) weather.noteControl(history);
    const gaveUp = step.again === null && step.gaveUp !== undefined;
    // The same reply each time is a refusal that nothing vouches for, and a limit is the token's: the route is
    // not down for that.
    const isRoutes = gaveUp || policy.expect === 'answer' || repeated(history) < limits.repeats;
    if (!transient || (isRoutes && policy.expect !== 'limited')) noteRoute(prepared.route, transient);
    if (last.ending.kind === 'unreachable') silent += 1;
  }

  async function under(prepared: Prepared, policy: Policy): Promise<Exchange> {
    const broken = isBroken(prepared);
    /** The target may be proven by another exchange meanwhile. */
    const asked = (): Policy => {
      const most = broken ? 1 : proven ? limits.attempts : limits.firstAttempts;
      return { ...policy, maxAttempts: Math.min(most, policy.maxAttempts ?? most) };
    };
    const history: AttemptRecord[] = [];
    const attempts: Attempt[] = [];
    let waited = 0;
    let wait = 0;
    const likes = new Map<string, Like>();
    for (;;) {
      const { record, paused } = await pacing.attempt(prepared, policy, waited + wait);
      wait += paused;
      waited += wait;
      history.push(record);
      patience.note(record);
      if (record.response !== null) silent = 0;
      const own = signature(record);
      const like = (repeated(history) > 1 && likes.get(own)) || {
        firstEnd: performance.now(),
        vouched: null,
      };
      likes.set(own, like);
      proven ||= !isTransient(record, policy);
      const hopeless = patience.end();
      if (hopeless !== null) void sender.close(hopeless);
      const step: Step =
        hopeless === null
          ? nextStep(history, asked(), {
              limits,
              waitedMs: waited,
              nowMs: Date.now(),
              random: random(),
              vouched: like.vouched,
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
      await sender.sleep(step.waitMs, step.again);
      wait = step.waitMs;
      if (step.control && policy.control) like.vouched ??= await policy.control(like.firstEnd);
    }
  }

  return async (prepared, policy) => {
    const done = await pacing.turn(prepared, policy);
    try {
      return await under(prepared, policy);
    } finally {
      done();
    }
  };
}
