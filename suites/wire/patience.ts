import { transientOf } from '../reading/transient.ts';
import type { RetryLimits } from './limits.ts';
import type { AttemptRecord } from './send.ts';

/** Tells when a target that has never given a reply that can be judged is waited for no longer. */
export interface Patience {
  readonly note: (record: AttemptRecord) => void;
  /** Why it is at its end; null while it is not. */
  readonly end: () => string | null;
}

/** The clock begins with the first attempt that is noted, at the time that it was sent. */
export function createPatience({ patienceMs, patienceAttempts }: RetryLimits): Patience {
  let alive = false;
  let attempts = 0;
  let begun: number | undefined;
  let why = '';
  return {
    note: (record) => {
      begun ??= performance.now() - record.endMs;
      attempts += 1;
      const transient = transientOf(record);
      if (transient === null) alive = true;
      else ({ why } = transient);
    },
    end: () => {
      const ms = performance.now() - (begun ?? performance.now());
      if (alive || attempts < patienceAttempts || ms < patienceMs) return null;
      return `given up: ${attempts} attempts in ${Math.round(ms / 1000)} s brought nothing that can be judged, the last one ${why}`;
    },
  };
}

/** Pauses that a target asks for, by credential, and how long it has asked for nothing else. */
export interface Pauses {
  /** Nothing with this credential is sent for so many milliseconds. */
  readonly set: (credential: string, ms: number) => void;
  /** Milliseconds left. */
  readonly left: (credential: string) => number;
  /** A reply to the credential came: a rate limit, or another. True where the one before was a limit as well. */
  readonly note: (credential: string, limited: boolean) => boolean;
  /** It has been limited, and nothing but limited, for longer than patience lasts: its limit is spent for good. */
  readonly spent: (credential: string) => boolean;
}

export function createPauses({ patienceMs }: RetryLimits): Pauses {
  const until = new Map<string, number>();
  const since = new Map<string, number>();
  return {
    set: (credential, ms) => {
      until.set(credential, Math.max(until.get(credential) ?? 0, performance.now() + ms));
    },
    left: (credential) => Math.max(0, Math.ceil((until.get(credential) ?? 0) - performance.now())),
    note: (credential, limited) => {
      const before = since.has(credential);
      if (!limited) since.delete(credential);
      else if (!before) since.set(credential, performance.now());
      return before;
    },
    spent: (credential) => performance.now() - (since.get(credential) ?? performance.now()) >= patienceMs,
  };
}
