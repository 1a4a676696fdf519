import { isHinted, isRateLimit } from '../reading/transient.ts';
import type { RetryLimits } from './limits.ts';
import { createPauses } from './patience.ts';
import { type Policy, retryAfter } from './policy.ts';
import type { AttemptRecord, Prepared, Sender } from './send.ts';
import { createLanes, type Lanes } from './slots.ts';
import type { Weather } from './weather.ts';

/** Keeps to what a target bears: how much at once, and how soon again. */
export interface Pacing {
  /**
   * Waits until an exchange may begin. It keeps its turn while it waits to be sent again: where a credential
   * is limited few compete for it, and none loses each time.
   */
  readonly turn: (prepared: Prepared, policy: Policy) => Promise<() => void>;
  /** One attempt, after the pause that the target asked for; `paused` is how long that was, in milliseconds. */
  readonly attempt: (prepared: Prepared, policy: Policy, waited: number) => Promise<Paced>;
  /** The credential was only ever limited: see `Pauses`. */
  readonly isSpent: (credential: string | undefined) => boolean;
}

interface Paced {
  readonly record: AttemptRecord;
  readonly paused: number;
}

export interface PacingOptions {
  readonly limits: RetryLimits;
  /** Attempts under way at once while the target is not too busy for them. */
  readonly concurrency: number;
}

/** Exchanges of a credential that may wait at once, however limited it is: one alone might wait for nothing. */
const fewestTurns = 2;

/** Statuses of a target that has too much to do. */
const busyStatuses = new Set([429, 503, 529]);

/** Opens the pacing of a sender. */
export function createPacing(
  sender: Sender,
  weather: Weather,
  { limits, concurrency }: PacingOptions,
): Pacing {
  const pauses = createPauses(limits);
  const lanes = createLanes(concurrency);
  const turns = new Map<string, Lanes>();

  const turnsOf = (credential = ''): Lanes => {
    const known = turns.get(credential) ?? createLanes(concurrency, fewestTurns);
    turns.set(credential, known);
    return known;
  };
  const isSpent = (credential: string | undefined): boolean =>
    credential !== undefined && pauses.spent(credential);
  const pauseLeft = (credential: string | undefined): number =>
    credential === undefined || isSpent(credential) ? 0 : pauses.left(credential);

  /** Waits for a lane and for the end of the pause, whichever is last. */
  const laneFor = async (credential: string | undefined, waited: number) => {
    let paused = 0;
    for (;;) {
      const wait = Math.min(pauseLeft(credential), limits.waitingMs - waited - paused);
      if (wait > 0) await sender.sleep(wait, 'the target asks for a pause');
      paused += Math.max(0, wait);
      const free = await lanes.take();
      if (pauseLeft(credential) <= 0 || waited + paused >= limits.waitingMs) return { free, paused };
      free();
    }
  };

  /** With the status of any refusal it is no limit where a refusal was hoped for, unless others were limited so. */
  const isLimit = (record: AttemptRecord, { expect }: Policy): boolean =>
    isRateLimit(record) && (expect === 'answer' || !isHinted(record) || weather.isWeather(record, expect));

  const isBusy = (record: AttemptRecord, policy: Policy): boolean | null => {
    const status = record.response?.status ?? 0;
    if (policy.expect === 'limited') return null;
    if (isLimit(record, policy)) return true;
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

  return {
    turn: async ({ credential }, { beside }) => (beside ? () => {} : turnsOf(credential).take()),
    attempt: async (prepared, policy, waited) => {
      const { credential } = prepared;
      const { free, paused } = await laneFor(credential, waited);
      try {
        const [atAll, ofCredential] = [lanes.watch(), turnsOf(credential).watch()];
        const record = await sender.attempt(prepared);
        atAll(isBusy(record, policy));
        ofCredential(policy.expect === 'limited' ? null : isLimit(record, policy));
        notePause(record, prepared, policy);
        return { record, paused };
      } finally {
        free();
      }
    },
    isSpent,
  };
}
