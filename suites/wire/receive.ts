import type { Dispatcher } from 'undici';
import type { Ending } from '../model/exchange.ts';
import { type Collector, createCollector } from './collect.ts';
import { createDecoder, type Decoder } from './decode.ts';
import { endingOf, failureOf } from './ending.ts';

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
  /** Bytes of body, on the wire and after decoding. */
  readonly maxBytes: number;
  readonly maxArrivals: number;
  /** Wall clock, in milliseconds. */
  readonly timeoutMs: number;
}

/** A reply under way. */
export interface Receiving {
  readonly handler: Dispatcher.DispatchHandler;
  readonly done: Promise<Received>;
  /** Ends it at once; `done` rejects with the reason. */
  readonly drop: (reason: Error) => void;
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

/** Takes one reply from undici, within bounds. The clock starts with the call. */
export function receive(bounds: Bounds): Receiving {
  const start = performance.now();
  const ms = (): number => Math.round((performance.now() - start) * 100) / 100;
  const collected = createCollector(bounds.maxBytes, bounds.maxArrivals);
  const { promise, resolve, reject } = settling();
  let transport: Dispatcher.DispatchController | undefined;
  let decoder: Decoder | null = null;
  let headers: (readonly [string, string])[] = [];
  let status: number | null = null;
  let headersMs: number | null = null;
  let began = false;
  let over = false;
  let wireBytes = 0;
  let broken: readonly [Ending, number] | null = null;

  const finish = (): boolean => {
    if (over) return false;
    over = true;
    clearTimeout(timer);
    decoder?.stop();
    return true;
  };
  const settle = (ending: Ending, endMs = ms()): void => {
    if (!finish()) return;
    resolve({ status, headers, collected, ending, headersMs, endMs });
    if (ending.kind !== 'complete') transport?.abort(new Error(ending.kind));
  };
  const drop = (reason: Error): void => {
    if (!finish()) return;
    reject(reason);
    transport?.abort(reason);
  };
  const oversize = (): void =>
    settle({ kind: 'oversize', detail: `the body is larger than ${bounds.maxBytes} bytes` });
  const timer = setTimeout(
    () => settle({ kind: 'timeout', detail: `not complete after ${bounds.timeoutMs} ms` }),
    bounds.timeoutMs,
  );

  const handler = {
    onRequestStart: (controller: Dispatcher.DispatchController) => {
      transport = controller;
      // The wall clock may have run out while it still waited for a connection.
      if (over) controller.abort(new Error('too late'));
    },
    onResponseStarted: () => {
      began = true;
    },
    onResponseStart: (controller: Dispatcher.DispatchController, code: number) => {
      if (over || code < 200) return;
      headersMs = ms();
      status = code;
      headers = pairs(controller.rawHeaders);
      const coding = header(headers, 'content-encoding');
      decoder = createDecoder(coding, {
        bytes: (bytes, at) => {
          if (!over && !collected.add(bytes, at)) oversize();
        },
        // Where the transport broke, the encoded data can only end early.
        garbled: (detail) => (broken === null ? settle({ kind: 'garbled', detail }) : settle(...broken)),
      });
      if (decoder === null)
        settle({ kind: 'garbled', detail: `content-encoding ${coding} was not asked for` });
    },
    onResponseData: (_controller: Dispatcher.DispatchController, chunk: Buffer) => {
      wireBytes += chunk.length;
      if (over) return;
      decoder?.write(chunk, ms());
      if (wireBytes > bounds.maxBytes) oversize();
    },
    onResponseEnd: () => {
      const endMs = ms();
      if (!over) decoder?.end(() => settle({ kind: 'complete' }, endMs));
    },
    onResponseError: (_controller: Dispatcher.DispatchController, error: Error) => {
      const { code, message } = failureOf(error);
      if (over) return;
      if (code === 'UND_ERR_INVALID_ARG') return drop(new Error(`the request can't be sent: ${message}`));
      const last = [endingOf(error, began), ms()] as const;
      broken = last;
      if (decoder === null) settle(...last);
      else decoder.end(() => settle(...last));
    },
  };
  return { handler, done: promise, drop };
}

function settling() {
  let resolve: (received: Received) => void = () => undefined;
  let reject: (reason: Error) => void = () => undefined;
  const promise = new Promise<Received>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}
