import { isAscii, isUtf8 } from 'node:buffer';
import type { Body } from '../types/exchange.ts';
import type { Redactor } from './redaction/redact.ts';

/** Gathers the bytes of one body and when they came, within bounds. */
export type Collector = ReturnType<typeof createCollector>;

/** What each byte adds to the length of the body as a JSON string: an escape, or half of a wider character. */
const extra = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte < 0x20) return '\b\t\n\f\r'.includes(String.fromCharCode(byte)) ? 1 : 5;
  return byte === 0x22 || byte === 0x5c || byte >= 0x7f ? 1 : 0;
});

/** Most bodies fit, and need no room that can grow. */
const usualBytes = 4096;

const weigh = (bytes: Buffer): number => {
  let weight = bytes.length;
  for (const byte of bytes) weight += extra[byte] ?? 0;
  return weight;
};

/** Cuts bytes to a length, before a character of UTF-8 that would be cut in two. */
function shorter(bytes: Buffer, most: number): Buffer {
  if (bytes.length <= most) return bytes;
  let end = most;
  while (end > most - 4 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end);
}

/** The bytes of one body, in memory that grows up to a bound. */
function createStore(maxBytes: number) {
  let store = new ArrayBuffer(Math.min(maxBytes, usualBytes));
  let length = 0;
  const room = (needed: number): void => {
    const { byteLength } = store;
    if (needed <= byteLength) return;
    const wanted = Math.min(maxBytes, Math.max(needed, byteLength * 2));
    if (store.resizable) store.resize(wanted);
    else {
      // From here on it grows in place: megabytes are not copied.
      const grown = new ArrayBuffer(wanted, { maxByteLength: maxBytes });
      new Uint8Array(grown).set(new Uint8Array(store).subarray(0, length));
      store = grown;
    }
  };
  return {
    length: (): number => length,
    add: (bytes: Buffer): void => {
      room(length + bytes.length);
      new Uint8Array(store).set(bytes, length);
      length += bytes.length;
    },
    // A copy: V8 compiles what reads a buffer anew for each one that can be resized.
    bytes: (): Buffer => Buffer.from(new Uint8Array(store, 0, length)),
    /** Gives the memory back, at once. */
    release: (): void => {
      if (store.resizable) store.resize(0);
      else store = new ArrayBuffer(0);
    },
  };
}

/** A body as it is recorded, no more than so many bytes of it: masked before it is cut, half a secret would not be found. */
function recorded(
  whole: Buffer,
  seen: string,
  masked: Buffer,
  most: number,
  arrivals: Body['arrivals'],
): Body {
  const bytes = shorter(masked, most);
  const encoding = isUtf8(bytes) ? 'utf8' : 'base64';
  // A body of megabytes is held as one text, not as two.
  const text = bytes === whole && isAscii(whole) ? seen : bytes.toString(encoding);
  const kept = bytes.length === whole.length ? arrivals : arrivals.filter(([sofar]) => sofar <= bytes.length);
  return { text, encoding, bytes: bytes.length, arrivals: kept };
}

/** `maxBytes`: as it came, and as it is recorded. Past `maxArrivals` every second arrival is dropped: it counts with the next. */
export function createCollector(maxBytes: number, maxArrivals: number) {
  const store = createStore(maxBytes);
  let weight = 0;
  let arrivals: (readonly [bytes: number, ms: number])[] = [];
  return {
    /** Adds bytes that came at `ms`; false where they pass the bound (what fits is kept). */
    add: (bytes: Buffer, ms: number): boolean => {
      weight += weigh(bytes);
      const fits = Math.min(bytes.length, maxBytes - store.length());
      if (fits > 0) {
        store.add(bytes.subarray(0, fits));
        const length = store.length();
        if (arrivals.at(-1)?.[1] === ms) arrivals.pop();
        arrivals.push([length, ms]);
        if (arrivals.length > maxArrivals) arrivals = arrivals.filter((_, index) => index % 2 === 1);
        if (arrivals.at(-1)?.[0] !== length) arrivals.push([length, ms]);
      }
      return weight <= maxBytes;
    },
    /** The body with its secrets masked; where `most` is given, no more than so many bytes of it. */
    body: (redactor: Redactor, most = maxBytes): Body => {
      const whole = store.bytes();
      const seen = whole.toString('latin1');
      return recorded(whole, seen, redactor.bytes(whole, seen), most, arrivals);
    },
    /** The same with the event loop in between. Rejects with the reason of the signal once that is given. */
    bodyInTurns: async (redactor: Redactor, signal: AbortSignal, most = maxBytes): Promise<Body> => {
      const whole = store.bytes();
      const seen = whole.toString('latin1');
      return recorded(whole, seen, await redactor.bytesInTurns(whole, seen, signal), most, arrivals);
    },
    release: store.release,
    /** How much room the body takes as it is recorded, in bytes. */
    weight: (): number => weight,
  };
}
