import { retryAfterMs } from '../reading/transient.ts';
import type { Exchange } from '../types/exchange.ts';
import type { Prepared } from '../wire/send.ts';

/** The pauses that valid requests were told, by caller and route: a control that follows keeps to them. */
export interface AskedPauses {
  /** The exchange of a valid request is over. */
  readonly note: (prepared: Prepared, exchange: Exchange) => void;
  /** Milliseconds until a control may follow; 0 where the last reply asks for no pause. */
  readonly left: (prepared: Prepared) => number;
}

const keyOf = ({ credential, route }: Prepared): string => JSON.stringify([credential, route]);

/** @param longestMs a longer pause is not kept: waiting less is of no use to anybody */
export function createAskedPauses(longestMs: number): AskedPauses {
  const until = new Map<string, number>();
  return {
    note: (prepared, exchange) => {
      const { response } = exchange;
      const asked = response !== null && response.status >= 400 ? retryAfterMs(exchange, Date.now()) : null;
      const key = keyOf(prepared);
      if (asked === null || asked > longestMs) until.delete(key);
      else until.set(key, performance.now() + asked);
    },
    left: (prepared) => Math.max(0, (until.get(keyOf(prepared)) ?? 0) - performance.now()),
  };
}
