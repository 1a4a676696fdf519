import { isRateLimit } from '../reading/transient.ts';
import type { Attempt, Ending, Exchange } from '../model/exchange.ts';
import { createPatience, createPauses } from './patience.ts';
import { isTransient, nextStep, type Policy, type RetryLimits, retryAfter, type Step } from './retry.ts';
import type { AttemptRecord, Prepared, Sender } from './send.ts';

export interface ExchangerOptions {
  readonly limits: RetryLimits;
  /** From 0 to 1; spreads the waits. */
  readonly random: () => number;
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

const endedWith = (ending: Ending, gaveUp: string | undefined): Ending =>
  gaveUp === undefined
    ? ending
    : { kind: ending.kind, detail: [ending.detail, gaveUp].filter(Boolean).join('; ') };

/** Builds the loop of attempts around a sender. Pauses and broken routes are shared by all its exchanges. */
export function createExchanger(sender: Sender, { limits, random }: ExchangerOptions): Exchanger {
  const pauses = createPauses(limits);
  const patience = createPatience(limits);
  const failed = new Map<string, number>();
  let proven = false;
  /** Exchanges in a row, on any route, on which no reply began: the target is gone. */
  let silent = 0;

  const pausePassed = async (credential: string | undefined, waited: number): Promise<number> => {
    const left = credential === undefined || pauses.spent(credential) ? 0 : pauses.left(credential);
    const wait = Math.min(left, limits.waitingMs - waited);
    if (wait > 0) await sender.sleep(wait);
    return Math.max(0, wait);
  };

  /** One limited reply among others holds up its own exchange; two in a row hold up all of the credential. */
  const notePause = (record: AttemptRecord, { credential }: Prepared, policy: Policy): void => {
    if (credential === undefined || policy.expect === 'limited') return;
    const limited = isRateLimit(record);
    const again = pauses.note(credential, limited) && limited;
    const asked = retryAfter(record, Date.now());
    // Where it asks for more than is waited for, waiting less is of no use to anybody.
    if (again && asked !== null && asked <= limits.retryAfterMs) pauses.set(credential, asked);
  };

  const noteRoute = (route: string | undefined, transient: boolean): void => {
    if (route !== undefined) failed.set(route, transient ? (failed.get(route) ?? 0) + 1 : 0);
  };

  return async (prepared, policy) => {
    const { credential, route } = prepared;
    const broken =
      silent >= breakAfter ||
      (route !== undefined && (failed.get(route) ?? 0) >= breakAfter) ||
      (credential !== undefined && pauses.spent(credential));
    const most = broken ? 1 : proven ? limits.attempts : limits.firstAttempts;
    const asked: Policy = { ...policy, maxAttempts: Math.min(most, policy.maxAttempts ?? most) };
    const history: AttemptRecord[] = [];
    const attempts: Attempt[] = [];
    let waited = 0;
    let wait = 0;
    for (;;) {
      wait += await pausePassed(credential, waited + wait);
      const record = await sender.attempt(prepared);
      patience.note(record);
      notePause(record, prepared, policy);
      waited += wait;
      history.push(record);
      proven ||= !isTransient(record, policy);
      if (record.response !== null) silent = 0;
      const circumstances = { limits, waitedMs: waited, nowMs: Date.now(), random: random() };
      const hopeless = patience.end();
      if (hopeless !== null) void sender.close(hopeless);
      const step: Step =
        hopeless === null ? nextStep(history, asked, circumstances) : { again: null, gaveUp: hopeless };
      if (step.again === null) {
        const ending = endedWith(record.ending, step.gaveUp);
        attempts.push({ ...noted(record, wait, null), ending });
        noteRoute(route, isTransient(record, policy));
        if (record.ending.kind === 'unreachable') silent += 1;
        const { response, startedAt, headersMs, endMs, stallMs } = record;
        const timing = { startedAt, headersMs, endMs, stallMs };
        return { id: prepared.id, request: sender.shown(prepared), response, ending, timing, attempts };
      }
      attempts.push(noted(record, wait, step.again));
      await sender.sleep(step.waitMs);
      wait = step.waitMs;
    }
  };
}
