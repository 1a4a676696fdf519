import { isUtf8 } from 'node:buffer';
import type { Body } from '../model/exchange.ts';
import type { Redactor } from './redact.ts';

/** Gathers the bytes of one body and when they came, within bounds. */
export interface Collector {
  /** Adds bytes that came at `ms`; false where they pass the bound (what fits is kept). */
  readonly add: (bytes: Buffer, ms: number) => boolean;
  /** The body with its secrets masked. */
  readonly body: (redactor: Redactor) => Body;
}

/**
 * @param maxBytes bound of the body, in bytes
 * @param maxArrivals bound of the list of arrivals; where it is passed, every second entry is dropped,
 *   so that its bytes count as come with the next
 */
export function createCollector(maxBytes: number, maxArrivals: number): Collector {
  // One buffer that grows: a list of single bytes would keep alive the packet that each came in.
  let store = Buffer.alloc(0);
  let length = 0;
  let arrivals: (readonly [bytes: number, ms: number])[] = [];

  const room = (needed: number): void => {
    if (needed <= store.length) return;
    const larger = Buffer.allocUnsafe(Math.min(maxBytes, Math.max(needed, store.length * 2, 4096)));
    store.copy(larger, 0, 0, length);
    store = larger;
  };
  const add = (bytes: Buffer, ms: number): boolean => {
    const fits = Math.min(bytes.length, maxBytes - length);
    if (fits > 0) {
      room(length + fits);
      bytes.copy(store, length, 0, fits);
      length += fits;
      if (arrivals.at(-1)?.[1] === ms) arrivals.pop();
      arrivals.push([length, ms]);
      if (arrivals.length > maxArrivals) arrivals = arrivals.filter((_, index) => index % 2 === 1);
      if (arrivals.at(-1)?.[0] !== length) arrivals.push([length, ms]);
    }
    return fits === bytes.length;
  };
  const body = (redactor: Redactor): Body => {
    const bytes = redactor.bytes(store.subarray(0, length));
    const encoding = isUtf8(bytes) ? 'utf8' : 'base64';
    return { text: bytes.toString(encoding), encoding, bytes: length, arrivals };
  };
  return { add, body };
}
