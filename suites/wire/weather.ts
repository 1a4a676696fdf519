import { isHinted, transientOf } from '../reading/transient.ts';
import type { Policy } from './policy.ts';
import type { AttemptRecord } from './send.ts';
import { signature } from './signature.ts';

/** What a run has learned of the replies that ask to come again. */
export interface Weather {
  /** An exchange got the like, and another reply when it was sent again; or it is what a spent limit gets. */
  readonly isWeather: (record: AttemptRecord, expect: Policy['expect']) => boolean;
  /** A refusal with this status and Retry-After was seen to repeat. */
  readonly isKnown: (record: AttemptRecord) => boolean;
  /** An exchange ended with a reply that can be judged. */
  readonly note: (history: readonly AttemptRecord[], expect: Policy['expect']) => void;
  /** A control that was answered before got these: whatever asks to come again among them is no refusal. */
  readonly noteControl: (history: readonly AttemptRecord[]) => void;
}

export function createWeather(): Weather {
  const passing = new Set<string>();
  const spent = new Set<string>();
  const known = new Set<number>();
  return {
    isWeather: (record, expect) =>
      passing.has(signature(record)) || (expect !== 'limited' && spent.has(signature(record))),
    isKnown: ({ response }) => known.has(response?.status ?? 0),
    noteControl: (history) => {
      for (const record of history) if (transientOf(record) !== null) passing.add(signature(record));
    },
    note: (history, expect) => {
      const last = history.at(-1);
      if (last === undefined || (history.length === 1 && expect !== 'limited')) return;
      const own = signature(last);
      // A spent token may get its limit in two ways, and a limit that is not its own: neither passed.
      const passed = expect !== 'limited' || transientOf(last) === null ? history : [];
      for (const record of passed) if (signature(record) !== own) passing.add(signature(record));
      if (expect === 'limited' && transientOf(last) !== null) spent.add(own);
      if (transientOf(last) !== null && (expect !== 'limited' || !isHinted(last)))
        known.add(last.response?.status ?? 0);
    },
  };
}
