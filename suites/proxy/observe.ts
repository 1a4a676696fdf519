import type { Ending } from '../model/reasons/exchange-reasons.ts';
import { type Collector, createCollector } from '../wire/collect.ts';
import { createDecoder, type Decoder } from '../wire/decode.ts';
import type { StallWatch } from '../wire/stall.ts';
import type { PassedEnd, RequestHead, Tap } from './forward.ts';
import { headerValue, type RawHeaders } from './headers.ts';

/** An exchange as it passed, nothing masked yet. */
export interface Observed {
  readonly head: RequestHead;
  readonly sent: Buffer;
  readonly status: number | null;
  readonly headers: RawHeaders;
  readonly collected: Collector;
  readonly ending: Ending;
  readonly startedAt: string;
  /** Milliseconds from the request to the head of the reply; null where none came. */
  readonly headersMs: number | null;
  /** Milliseconds from the request to the end. */
  readonly endMs: number;
  readonly stallMs: number;
}

/** Why nothing of an exchange is kept. */
export type NotObserved = 'client-left' | 'not-connected' | 'too-large' | 'memory-full' | 'other-coding';

/** Bytes of a request's body, and of a reply's after decoding, that are recorded at most. */
interface ObservedBounds {
  readonly requestBytes: number;
  readonly replyBytes: number;
}

/** Room for all bodies that are under way or wait to be judged. */
export interface Room {
  /** Takes so many bytes; false where there are not so many. */
  readonly take: (bytes: number) => boolean;
  readonly give: (bytes: number) => void;
}

export function createRoom(most: number): Room {
  let used = 0;
  return {
    take: (bytes) => {
      if (used + bytes > most) return false;
      used += bytes;
      return true;
    },
    give: (bytes) => {
      used -= bytes;
    },
  };
}

/** Arrivals of one body that are kept. */
const maxArrivals = 2_000;

interface Watching {
  readonly bounds: ObservedBounds;
  readonly room: Room;
  readonly stalls: StallWatch;
  /** Called once. Whoever is told of an exchange gives its room back by `free` when it is done. */
  readonly done: (result: Observed | NotObserved, free: () => void) => void;
}

/** Gathers an exchange while it passes. What passes a bound is dropped at once, and passed on all the same. */
export function observe(head: RequestHead, { bounds, room, stalls, done }: Watching): Tap {
  const start = performance.now();
  const startedAt = new Date().toISOString();
  const stalled = stalls.start();
  const ms = (): number => Math.round((performance.now() - start) * 100) / 100;
  const collected = createCollector(bounds.replyBytes, maxArrivals);
  let sent: Buffer[] = [];
  let sentBytes = 0;
  let taken = 0;
  let dropped: NotObserved | undefined;
  let reply: Pick<Observed, 'status' | 'headers' | 'headersMs'> = {
    status: null,
    headers: [],
    headersMs: null,
  };
  let decoder: Decoder | null = null;
  let garbled: string | undefined;

  /** What waits for the rest of an encoded body. */
  let waiting: (() => void) | undefined;
  const settle = (): void => {
    const then = waiting;
    waiting = undefined;
    then?.();
  };
  const free = (): void => {
    room.give(taken);
    taken = 0;
    sent = [];
    collected.release();
  };
  const drop = (why: NotObserved): void => {
    if (dropped !== undefined) return;
    dropped = why;
    decoder?.stop();
    free();
    settle();
  };
  const admit = (bytes: number): boolean => {
    if (dropped !== undefined) return false;
    if (room.take(bytes)) taken += bytes;
    else drop('memory-full');
    return dropped === undefined;
  };
  const sink = {
    bytes: (bytes: Buffer, at: number) => {
      if (admit(bytes.length) && !collected.add(bytes, at)) drop('too-large');
    },
    garbled: (why: string) => {
      garbled = why;
      settle();
    },
  };

  function finish(end: PassedEnd, endMs: number): void {
    const stallMs = stalled();
    if (end.kind === 'client-left' || end.kind === 'not-connected') drop(end.kind);
    if (dropped !== undefined) {
      done(dropped, free);
      return;
    }
    const ending: Ending =
      end.kind === 'complete' && garbled !== undefined
        ? { kind: 'garbled', detail: garbled }
        : (end as Exclude<PassedEnd, { kind: 'client-left' | 'not-connected' }>);
    const whole = { head, sent: Buffer.concat(sent), ...reply, collected, ending, startedAt, endMs, stallMs };
    done(whole, free);
  }

  return {
    sent: (bytes) => {
      sentBytes += bytes.length;
      if (sentBytes > bounds.requestBytes) drop('too-large');
      else if (admit(bytes.length)) sent.push(bytes);
    },
    head: (status, headers) => {
      reply = { status, headers, headersMs: ms() };
      decoder = createDecoder(headerValue(headers, 'content-encoding') ?? null, sink);
      if (decoder === null) drop('other-coding');
    },
    received: (bytes) => {
      if (dropped === undefined) decoder?.write(bytes, ms());
    },
    end: (end) => {
      const endMs = ms();
      waiting = () => finish(end, endMs);
      // What is still encoded is read to its end; where it broke off, the decoder may never end.
      const isReadable = garbled === undefined && dropped === undefined;
      if (end.kind === 'complete' && decoder !== null && isReadable) decoder.end(settle);
      else settle();
    },
  };
}
