import { setMaxListeners } from 'node:events';
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises';
import Agent from 'undici/lib/dispatcher/agent.js';
import { oncePer } from '../../spec/once.ts';
import { packageInfo } from '../../spec/package-root.ts';
import { bodyBytes } from '../types/limits.ts';
import type { Reply, SentRequest } from '../types/exchange.ts';
import type { Ending, StopReason } from '../types/reasons/exchange-reasons.ts';
import type { OnWait } from '../types/run.ts';
import { stopWords } from '../types/reasons/exchange-words.ts';
import { fingerprintOf } from '../reading/transient.ts';
import { acceptEncoding } from './decode.ts';
import { headerBytes } from './ending.ts';
import { type HttpProxy, proxyFor, proxyHeaders, connector } from './proxy.ts';
import { type Received, receive } from './receive.ts';
import type { Redactor } from './redaction/redact.ts';
import { createStallWatch } from './stall.ts';

export interface Prepared {
  readonly id: string;
  readonly method: string;
  readonly url: string;
  /** As they go over the wire, credential included. */
  readonly headers: Readonly<Record<string, string>>;
  /** As they are recorded: a credential stands as `${VARIABLE}`. */
  readonly shownHeaders: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** Bound of the reply's body in bytes, on the wire and after decoding; `bodyBytes` has the usual ones. */
  readonly maxBytes: number;
  /** Names the credential (never its value): a pause that the target asks for holds for all that share it. */
  readonly credential: string;
  /** Names the model: a lock-out holds for the model, or for all that have the credential as well. */
  readonly model: string;
  /** Names model and path: where exchanges fail in a row, later ones with the same route are tried once. */
  readonly route: string;
  /** Names path and stream: where such requests get no reply in time, later ones are not sent. */
  readonly timingKind: string;
}

export interface AttemptRecord {
  /** Null where no reply began. */
  readonly response: Reply | null;
  readonly ending: Ending;
  /** Of the reply: see `Attempt`. */
  readonly fingerprint: string | null;
  readonly startedAt: string;
  /** Milliseconds from send to the head of the reply; null where none came. */
  readonly headersMs: number | null;
  /** Milliseconds from send to the end. */
  readonly endMs: number;
  /** Milliseconds that it was given, where it nearly took them: see `Attempt`. */
  readonly limitMs?: number;
  /** The longest stall of our own event loop meanwhile, in milliseconds. */
  readonly stallMs: number;
}

/** How long a reply is waited for. */
export interface Patience {
  /** Of the usual time, from 0 to 1. */
  readonly part: number;
  /** So many milliseconds all the same, as far as the usual time has them. */
  readonly leastMs: number;
}

/** The part of its time from which on a reply that came is told to be near the limit. It decides nothing. */
const nearLimit = 0.8;

const usualPatience: Patience = { part: 1, leastMs: 0 };

export interface SenderOptions {
  /** Connections open at once; 8 by default. */
  readonly connections?: number;
  /** Wall clock of one attempt, in milliseconds. */
  readonly timeoutMs: number;
  readonly redactor: Redactor;
  /** Departures from the usual bounds. */
  readonly bounds?: Partial<SenderBounds>;
  readonly signal?: AbortSignal;
  /** Told of each wait as it begins, in milliseconds. */
  readonly onWait?: OnWait;
}

export type Sender = ReturnType<typeof createSender>;

/** Why the wire is closed where nobody says otherwise. */
const stopped: StopReason = { kind: 'stopped' };

/** The wire was closed before the request was done: it counts as not sent. */
export class WireClosed extends Error {
  override readonly name = 'WireClosed';
  readonly reason: StopReason;
  constructor(reason: StopReason) {
    super(stopWords(reason));
    this.reason = reason;
  }
}

/** Bounds of a sender: all that it brings back is held in memory until the run is judged. */
interface SenderBounds {
  /** Bytes of all bodies with the same bound together, as they are recorded; once spent, a body has `spentBytes`. */
  readonly allBytes: (maxBytes: number) => number;
  readonly spentBytes: number;
  /** Bytes that are kept of a body that is not complete. */
  readonly partBytes: number;
  /** Bytes of all bodies that are under way at once. */
  readonly flightBytes: number;
}

const usualBounds: SenderBounds = {
  allBytes: (maxBytes) => (maxBytes > bodyBytes.text ? 5 * maxBytes : 12 * maxBytes),
  spentBytes: 64 * 1024,
  partBytes: 64 * 1024,
  flightBytes: 48 * 1024 * 1024,
};

const maxHeaders = 500;
const maxArrivals = 2_000;

/** The headers that every request has besides its own. */
export function addedHeaders(): Readonly<Record<string, string>> {
  const { name, version } = packageInfo();
  return { 'accept-encoding': acceptEncoding, 'user-agent': `${name}/${version}` };
}

async function replyOf(
  received: Received,
  redactor: Redactor,
  partBytes: number,
  signal: AbortSignal,
): Promise<Reply | null> {
  const { status, headers, collected, ending } = received;
  if (status === null) return null;
  const most = ending.kind === 'complete' ? undefined : partBytes;
  return {
    status,
    headers: headers
      .slice(0, maxHeaders)
      .map(([name, value]) => [redactor.text(name).toLowerCase(), redactor.text(value)]),
    body: await collected.bodyInTurns(redactor, signal, most),
  };
}

function endingWithout(
  ending: Ending,
  own: { readonly redactor: Redactor; readonly shortened: boolean },
): Ending {
  if (ending.kind === 'timeout' && own.shortened) return { ...ending, shortened: true };
  return 'detail' in ending ? { ...ending, detail: own.redactor.text(ending.detail) } : ending;
}

/** Opens a sender with its own connections. Redirects are never followed. */
export function createSender({
  connections = 8,
  timeoutMs,
  redactor,
  bounds,
  signal,
  onWait,
}: SenderOptions) {
  const { allBytes, spentBytes, partBytes, flightBytes } = { ...usualBounds, ...bounds };
  const proxyOf = oncePer((origin: string) => proxyFor(new URL(origin)));
  const tunnels = new Map<string, HttpProxy>();
  const agent = new Agent({
    connections,
    pipelining: 1,
    maxHeaderSize: headerBytes,
    connect: connector(timeoutMs, (origin) => tunnels.get(origin)),
    // The wall clock of an attempt is the only one: a slow drip would reset these.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const spent = new Map<number, number>();
  let flight = 0;
  const stalls = createStallWatch();
  const drops = new Set<(reason: Error) => void>();
  const closing = new AbortController();
  let closed: StopReason | undefined;
  const wireClosed = (): WireClosed => new WireClosed(closed ?? stopped);
  setMaxListeners(0, closing.signal);

  async function attemptOnce(prepared: Prepared, patience: Patience): Promise<AttemptRecord> {
    const ownMs = Math.min(timeoutMs, Math.max(timeoutMs * patience.part, patience.leastMs));
    const { origin, protocol, host, pathname, search } = new URL(prepared.url);
    const stalled = stalls.start();
    const startedAt = new Date().toISOString();
    const kind = prepared.maxBytes;
    const left = allBytes(kind) - (spent.get(kind) ?? 0);
    const most = Math.min(kind, Math.max(left, spentBytes));
    // Only a result has reason to hold images; a longer error is incomplete, and decides nothing.
    const maxBytes = (status: number): number => (status < 300 ? most : Math.min(most, bodyBytes.text));
    let own = 0;
    const admit = (bytes: number): boolean => {
      own += bytes;
      flight += bytes;
      return flight <= flightBytes;
    };
    const { handler, done, drop } = receive({
      maxBytes,
      maxHeaders,
      maxArrivals,
      timeoutMs: ownMs,
      flightBytes,
      admit,
    });
    drops.add(drop);
    try {
      const { method, body } = prepared;
      const headers = { ...addedHeaders(), ...prepared.headers };
      const proxy = proxyOf(origin);
      if (proxy !== undefined && protocol === 'https:') tunnels.set(origin, proxy);
      // Without TLS a proxy is asked for the whole address, as curl does.
      const to =
        proxy === undefined || protocol === 'https:'
          ? { origin, path: pathname + search, headers }
          : {
              origin: proxy.url.origin,
              path: origin + pathname + search,
              headers: { host, ...headers, ...proxyHeaders(proxy) },
            };
      agent.dispatch({ ...to, method, body }, handler);
      const received = await done;
      const { headersMs, endMs } = received;
      const stallMs = stalled();
      const ending = endingWithout(received.ending, { redactor, shortened: ownMs < timeoutMs });
      const response = await replyOf(received, redactor, partBytes, closing.signal);
      received.collected.release();
      const weight = received.collected.weight();
      const kept = received.ending.kind === 'complete' ? weight : Math.min(weight, partBytes);
      spent.set(kind, (spent.get(kind) ?? 0) + kept);
      const fingerprint = fingerprintOf({ response });
      const isNear = ending.kind === 'complete' && endMs > nearLimit * ownMs;
      const near = isNear ? { limitMs: ownMs } : {};
      return { response, ending, fingerprint, startedAt, headersMs, endMs, ...near, stallMs };
    } finally {
      flight -= own;
      drops.delete(drop);
      stalled();
    }
  }

  /**
   * One try. Rejects with `WireClosed` when closed, with an `Error` where the request is not valid HTTP.
   * @param patience how much of the usual wall clock it may take; all of it where left out
   */
  const attempt = async (prepared: Prepared, patience = usualPatience): Promise<AttemptRecord> => {
    if (closing.signal.aborted) throw wireClosed();
    try {
      return await attemptOnce(prepared, patience);
    } finally {
      // Only a turn later does undici take the connection for free; before that it would open another.
      await turn();
    }
  };

  /** The request as it is recorded: what the sender adds is in it, secrets are not. */
  const shown = ({ method, url, shownHeaders, body }: Prepared): SentRequest => ({
    method,
    url: redactor.text(url),
    headers: Object.fromEntries(
      Object.entries({ ...addedHeaders(), ...shownHeaders }).map(([name, value]) => [
        name,
        redactor.text(value),
      ]),
    ),
    body: body === null ? null : redactor.text(body),
  });

  /** Waits so many milliseconds, and tells why. Rejects with `WireClosed` when closed. */
  const sleep = async (...[ms, why]: Parameters<OnWait>): Promise<void> => {
    onWait?.(ms, why);
    await delay(ms, undefined, { signal: closing.signal }).catch(() => {
      throw wireClosed();
    });
  };

  /** Drops all that is under way, at once; what is asked for from then on is not sent, for the reason given. */
  const close = async (why = stopped): Promise<void> => {
    closed ??= why;
    closing.abort(wireClosed());
    for (const drop of drops) drop(wireClosed());
    stalls.stop();
    await agent.destroy();
  };
  if (signal?.aborted === true) void close();
  signal?.addEventListener('abort', () => void close(), { once: true });

  return {
    attempt,
    shown,
    sleep,
    close,
    /** Why it was closed; undefined while it is open. */
    closed: (): StopReason | undefined => closed,
  };
}
