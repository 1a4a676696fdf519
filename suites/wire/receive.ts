import type { Dispatcher } from 'undici';
import type { Ending } from '../types/reasons/exchange-reasons.ts';
import { type Collector, createCollector } from './collect.ts';
import { createDecoder, type Decoder, type Sink } from './decode.ts';
import { endingOf, failureOf, type Reached } from './ending.ts';
import { deferred } from './deferred.ts';

/** What came back on one request, nothing redacted yet. */
export interface Received {
  readonly status: number | null;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly collected: Collector;
  readonly ending: Ending;
  /** Milliseconds from send to the head of the reply; null where none came. */
  readonly headersMs: number | null;
  /** Milliseconds from send to the end. */
  readonly endMs: number;
}

export interface Bounds {
  /** Bytes of body by status, on the wire and after decoding. */
  readonly maxBytes: (status: number) => number;
  readonly maxHeaders: number;
  readonly maxArrivals: number;
  /** Wall clock, in milliseconds. */
  readonly timeoutMs: number;
  /** Bytes of all bodies under way at once. */
  readonly flightBytes: number;
  /** Asked with each piece of a body: false where all bodies under way together have become too large. */
  readonly admit: (bytes: number) => boolean;
}

const text = (bytes: Buffer | string | undefined): string => String(bytes ?? '');

function pairs(raw: Dispatcher.DispatchController['rawHeaders']): (readonly [string, string])[] {
  const flat: readonly (Buffer | string)[] = Array.isArray(raw) ? raw : [];
  return flat.flatMap((name, index) =>
    index % 2 === 0 ? [[text(name), text(flat[index + 1])] as const] : [],
  );
}

const header = (headers: readonly (readonly [string, string])[], wanted: string): string | null => {
  const values = headers.filter(([name]) => name.toLowerCase() === wanted).map(([, value]) => value);
  return values.length === 0 ? null : values.join(', ');
};

type Controller = Dispatcher.DispatchController;

/** Ends once: as told, or when the wall clock runs out. `cleanUp`: with a reason where the transport must be broken off. */
function createReplyEnd(timeoutMs: number, cleanUp: (abort: Error | null) => void) {
  const start = performance.now();
  /** Milliseconds since it was made, to a hundredth. */
  const ms = (): number => Math.round((performance.now() - start) * 100) / 100;
  let over = false;
  const { promise: ended, resolve, reject } = deferred<Pick<Received, 'ending' | 'endMs'>>();
  const once = (tell: () => void, abort: Error | null): void => {
    if (over) return;
    over = true;
    clearTimeout(timer);
    tell();
    cleanUp(abort);
  };
  const settle = (ending: Ending, endMs = ms()): void =>
    once(() => resolve({ ending, endMs }), ending.kind === 'complete' ? null : new Error(ending.kind));
  const drop = (reason: Error): void => once(() => reject(reason), reason);
  const late: Ending = { kind: 'timeout', afterMs: timeoutMs };
  const timer = setTimeout(() => settle(late), timeoutMs);
  return { ms, over: () => over, settle, drop, ended };
}

const noHead: Pick<Received, 'status' | 'headers' | 'headersMs'> = {
  status: null,
  headers: [],
  headersMs: null,
};

/** Takes one reply from undici, within bounds. The clock starts with the call. */
export function receive(bounds: Bounds) {
  const { maxBytes, maxHeaders, maxArrivals, timeoutMs, flightBytes, admit } = bounds;
  let limit = 0;
  let collected = createCollector(limit, maxArrivals);
  let head = noHead;
  let transport: Controller | undefined;
  let decoder: Decoder | null = null;
  let reached: Reached = 'nothing';
  let broken: readonly [Ending, number] | null = null;
  let wireBytes = 0;

  const { ms, over, settle, drop, ended } = createReplyEnd(timeoutMs, (abort) => {
    decoder?.stop();
    if (abort !== null) transport?.abort(abort);
  });
  const oversize = (): void => settle({ kind: 'oversize', bound: 'body', limit });
  const sink: Sink = {
    bytes: (bytes, at) => {
      if (over()) return;
      if (!admit(bytes.length)) settle({ kind: 'oversize', bound: 'bodies-in-flight', limit: flightBytes });
      else if (!collected.add(bytes, at)) oversize();
    },
    // Where the transport broke, the encoded data can only end early.
    undecodable: (detail) => (broken === null ? settle({ kind: 'undecodable', detail }) : settle(...broken)),
  };

  const handler = {
    onRequestStart: (controller: Controller) => {
      transport = controller;
      // The wall clock may have run out while it still waited for a connection.
      if (over()) controller.abort(new Error('too late'));
    },
    onResponseStarted: () => {
      reached = 'head';
    },
    onResponseStart: (controller: Controller, status: number) => {
      if (over() || status < 200) return;
      reached = 'body';
      const headers = pairs(controller.rawHeaders);
      head = { status, headers, headersMs: ms() };
      if (headers.length > maxHeaders) {
        return settle({ kind: 'oversize', bound: 'header-count', limit: maxHeaders });
      }
      limit = maxBytes(status);
      collected = createCollector(limit, maxArrivals);
      const coding = header(headers, 'content-encoding');
      decoder = createDecoder(coding, sink);
      if (decoder === null)
        settle({ kind: 'undecodable', detail: `content-encoding ${coding} was not asked for` });
    },
    onResponseData: (_controller: Controller, chunk: Buffer) => {
      if (over()) return;
      wireBytes += chunk.length;
      decoder?.write(chunk, ms());
      if (wireBytes > limit) oversize();
    },
    onResponseEnd: () => {
      const endMs = ms();
      if (!over()) decoder?.end(() => settle({ kind: 'complete' }, endMs));
    },
    onResponseError: (_controller: Controller, error: Error) => {
      if (over()) return;
      const { code, message } = failureOf(error);
      if (code === 'UND_ERR_INVALID_ARG') return drop(new Error(`the request can't be sent: ${message}`));
      const last = [endingOf(error, reached), ms()] as const;
      broken = last;
      if (decoder === null) settle(...last);
      else decoder.end(() => settle(...last));
    },
  };
  /** `drop` ends it at once: `done` rejects with the reason. */
  return { handler, done: ended.then((end): Received => ({ ...head, ...end, collected })), drop };
}
