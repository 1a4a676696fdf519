import type { Attempt, Exchange, Reply, SentRequest } from '../../types/exchange.ts';
import type { GaveUp } from '../../types/reasons/exchange-reasons.ts';
import { sameReplies } from '../../reading/reply-history.ts';
import type { AttemptRecord, Prepared, Sender } from '../send.ts';
import { type AttemptReading, controlOf, type ExchangeOptions } from './attempt-reading.ts';
import { needsNoAnswer } from './caller-gate.ts';
import { withoutPermit } from './semaphore.ts';
import type { Step } from './next-step.ts';
import type { Trial } from './timeout-watch.ts';

/** When a reply first came, and whether a control was answered since. */
export interface Sighting {
  /** When it was asked for, in milliseconds of `performance.now()`. */
  readonly firstBegunAt: number;
  /** In milliseconds of `performance.now()`. */
  readonly firstEnd: number;
  isControlAnswered: boolean;
}

/** An exchange that is under way, as the loop of its attempts keeps it. */
export interface RunningExchange {
  readonly prepared: Prepared;
  readonly own: ExchangeOptions;
  readonly attempts: Attempt[];
  readonly readings: AttemptReading[];
  lastReply?: Reply | null;
  /** By fingerprint of the reply. */
  readonly sightings: Map<string | null, Sighting>;
  /** Milliseconds waited so far. */
  waitedMs: number;
  /** Its target or its route gave nothing that can be judged when it began. */
  readonly begunBroken: boolean;
  /** Lets the next request of its caller send. */
  leave?: (() => void) | undefined;
  trial?: Trial | undefined;
}

/** A longer body, in bytes, is recorded of the last attempt only. */
const longestSuperseded = 65_536;

/** Adds what an attempt brought, after so many milliseconds of waiting. */
export function addAttempt(
  running: RunningExchange,
  { response, ending, fingerprint, startedAt, endMs: ms, limitMs }: AttemptRecord,
  reading: AttemptReading,
  waitedMs: number,
): void {
  const { attempts, readings } = running;
  const before = attempts.pop();
  const { lastReply } = running;
  const isKept = lastReply && lastReply.body.bytes <= longestSuperseded;
  if (before) attempts.push(isKept ? { ...before, response: lastReply } : before);
  running.lastReply = response;
  const [status, bytes] = [response?.status ?? null, response?.body.bytes ?? 0];
  const near = limitMs === undefined ? {} : { limitMs };
  attempts.push({ status, ending, fingerprint, bytes, startedAt, ms, ...near, waitedMs });
  readings.push(reading);
}

/** The sighting of the last reply: a new one where it did not come before, or not since one that could be judged. */
export function sightingOf({ attempts, sightings }: RunningExchange, firstBegunAt: number): Sighting {
  const fingerprint = attempts.at(-1)?.fingerprint ?? null;
  const known = sameReplies(attempts).length > 1 ? sightings.get(fingerprint) : undefined;
  const sighting = known ?? { firstBegunAt, firstEnd: performance.now(), isControlAnswered: false };
  sightings.set(fingerprint, sighting);
  return sighting;
}

/** Waits, and sends the control where it is due; completes the last attempt with why another follows. */
export async function waitFor(
  step: Extract<Step, { kind: 'retry' }>,
  { attempts, readings, own }: RunningExchange,
  sighting: Sighting,
  sleep: Sender['sleep'],
): Promise<void> {
  const last = attempts.at(-1);
  const { firstEnd } = sighting;
  const pause = sleep(step.waitMs, step.reason);
  // Others go on meanwhile: what it waits for is its caller's, and no overload of the target.
  const isLimited = needsNoAnswer(own) && readings.at(-1)?.cause === 'rate-limit';
  const isOfCaller = step.isClosed || own.facts.expect === 'limited' || isLimited;
  await (isOfCaller ? withoutPermit(own.permit, pause) : pause);
  const isDue = step.sendControl && !sighting.isControlAnswered;
  const control = isDue ? await controlOf(own, readings.at(-1))?.(firstEnd) : null;
  sighting.isControlAnswered ||= control?.answered === true;
  const sent = control ? { control: control.id } : {};
  if (last) attempts[attempts.length - 1] = { ...last, retry: step.reason, ...sent };
}

/** The exchange as it is recorded, when its last attempt is over. */
export function finished(
  { prepared, attempts }: RunningExchange,
  { response, ending, startedAt, headersMs, endMs, stallMs }: AttemptRecord,
  request: SentRequest,
  gaveUp: GaveUp | undefined,
): Exchange {
  const last = attempts.at(-1);
  return {
    id: prepared.id,
    request,
    response,
    ending,
    timing: { startedAt, headersMs, endMs, stallMs },
    attempts: last && gaveUp ? [...attempts.slice(0, -1), { ...last, gaveUp }] : attempts,
  };
}
