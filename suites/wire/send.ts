import { setMaxListeners } from 'node:events';
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises';
import Agent from 'undici/lib/dispatcher/agent.js';
import { oncePer } from '../../spec/once.ts';
import { packageInfo } from '../../spec/package-root.ts';
import { bodyBytes } from '../types/limits.ts';
import type { Reply, SentRequest, Attempt } from '../types/exchange.ts';
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

export interface Prepared extends SentRequest {
  readonly id: string;
  /** As they go over the wire, credential included. */
  readonly headers: Readonly<Record<string, string>>;
  /** As they are recorded: a credential stands as `${VARIABLE}`. */
  readonly shownHeaders: Readonly<Record<string, string>>;
  /** Bound of the reply's body in bytes, on the wire and after decoding; `bodyBytes` has the usual ones. */
  readonly maxBytes: number;
  /** Names the credential (never its value): a pause that the target asks for holds for all that share it. */
  readonly credential: string;
  /** Names the model: a lock-out holds for the model, or for all that have the credential as well. */
  readonly model: string;
  /** Names model and path: where exchanges fail in a row, later ones with the same route are tried once. */
  readonly route: string;
  /** Where such requests get no reply in time, later ones are not sent. */
  readonly timingKind: TimingKind;
}

/** What requests have in common of which some that get no reply in time speak for all. */
export interface TimingKind {
  /** Names endpoint and stream, and what is due to what credential: a gateway may answer, and let hang what it must refuse. */
  readonly name: string;
  readonly endpoint: string;
  readonly isAnswerDue: boolean;
}

export interface AttemptRecord extends Pick<Attempt, 'ending' | 'fingerprint' | 'startedAt' | 'limitMs'> {
  /** Null where no reply began. */
  readonly response: Reply | null;
  /** Milliseconds from send to the head of the reply; null where none came. */
  readonly headersMs: number | null;
  /** Milliseconds from send to the end. */
  readonly endMs: number;
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

/** A sender that is open: its connections, and what is under way on them. */
type OpenSender = ReturnType<typeof openSender>;

const wireClosed = ({ closed = stopped }: OpenSender): WireClosed => new WireClosed(closed);

/** Hands a request to the connections, through a proxy where there is one. */
function dispatch(
  { proxyOf, tunnels, agent }: OpenSender,
  prepared: Prepared,
  handler: ReturnType<typeof receive>['handler'],
): void {
  const { origin, protocol, host, pathname, search } = new URL(prepared.url);
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
}

/** What is recorded of an attempt that is over, after so long a stall; its body counts among those that are kept. */
async function recordOf(
  open: OpenSender,
  { maxBytes: kind }: Prepared,
  received: Received,
  { startedAt, ownMs, stallMs }: { startedAt: string; ownMs: number; stallMs: number },
): Promise<AttemptRecord> {
  const { redactor, timeoutMs, closing, spent, bounds } = open;
  const { headersMs, endMs } = received;
  const ending = endingWithout(received.ending, { redactor, shortened: ownMs < timeoutMs });
  const response = await replyOf(received, redactor, bounds.partBytes, closing.signal);
  received.collected.release();
  const weight = received.collected.weight();
  const kept = received.ending.kind === 'complete' ? weight : Math.min(weight, bounds.partBytes);
  spent.set(kind, (spent.get(kind) ?? 0) + kept);
  const fingerprint = fingerprintOf({ response });
  const isNear = ending.kind === 'complete' && endMs > nearLimit * ownMs;
  const near = isNear ? { limitMs: ownMs } : {};
  return { response, ending, fingerprint, startedAt, headersMs, endMs, ...near, stallMs };
}

async function attemptOnce(open: OpenSender, prepared: Prepared, patience: Patience): Promise<AttemptRecord> {
  const { timeoutMs, stalls, spent, drops, bounds } = open;
  const { allBytes, spentBytes, flightBytes } = bounds;
  const ownMs = Math.min(timeoutMs, Math.max(timeoutMs * patience.part, patience.leastMs));
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
    open.flight += bytes;
    return open.flight <= flightBytes;
  };
  const bound = { maxBytes, maxHeaders, maxArrivals, timeoutMs: ownMs, flightBytes, admit };
  const { handler, done, drop } = receive(bound);
  drops.add(drop);
  try {
    dispatch(open, prepared, handler);
    const received = await done;
    return await recordOf(open, prepared, received, { startedAt, ownMs, stallMs: stalled() });
  } finally {
    open.flight -= own;
    drops.delete(drop);
    stalled();
  }
}

/** The request as it is recorded: what the sender adds is in it, secrets are not. */
function shown({ redactor }: OpenSender, { method, url, shownHeaders, body }: Prepared): SentRequest {
  const headers = Object.entries({ ...addedHeaders(), ...shownHeaders }).map(
    ([name, value]) => [name, redactor.text(value)] as const,
  );
  return {
    method,
    url: redactor.text(url),
    headers: Object.fromEntries(headers),
    body: body === null ? null : redactor.text(body),
  };
}

async function close(open: OpenSender, why = stopped): Promise<void> {
  open.closed ??= why;
  open.closing.abort(wireClosed(open));
  for (const drop of open.drops) drop(wireClosed(open));
  open.stalls.stop();
  await open.agent.destroy();
}

function openSender({ connections = 8, timeoutMs, redactor, bounds, onWait }: SenderOptions) {
  /** By the origin that they lead to. */
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
  const closing = new AbortController();
  setMaxListeners(0, closing.signal);
  return {
    timeoutMs,
    redactor,
    onWait,
    bounds: { ...usualBounds, ...bounds },
    agent,
    tunnels,
    closing,
    proxyOf: oncePer((origin: string) => proxyFor(new URL(origin))),
    /** Bytes that are recorded, by the bound of their bodies. */
    spent: new Map<number, number>(),
    /** Bytes of all bodies under way. */
    flight: 0,
    stalls: createStallWatch(),
    drops: new Set<(reason: Error) => void>(),
    closed: undefined as StopReason | undefined,
  };
}

/** Opens a sender with its own connections. Redirects are never followed. */
export function createSender(options: SenderOptions) {
  const open = openSender(options);
  const { onWait, closing } = open;
  const { signal } = options;
  if (signal?.aborted === true) void close(open);
  signal?.addEventListener('abort', () => void close(open), { once: true });
  return {
    /** One try. Rejects with `WireClosed` when closed, with an `Error` where the request is not valid HTTP. */
    attempt: async (prepared: Prepared, patience = usualPatience): Promise<AttemptRecord> => {
      if (closing.signal.aborted) throw wireClosed(open);
      try {
        return await attemptOnce(open, prepared, patience);
      } finally {
        // Only a turn later does undici take the connection for free; before that it would open another.
        await turn();
      }
    },
    shown: (prepared: Prepared): SentRequest => shown(open, prepared),
    /** Waits so many milliseconds, and tells why. Rejects with `WireClosed` when closed. */
    sleep: async (...[ms, why]: Parameters<OnWait>): Promise<void> => {
      onWait?.(ms, why);
      await delay(ms, undefined, { signal: closing.signal }).catch(() => {
        throw wireClosed(open);
      });
    },
    /** Drops all that is under way, at once; what is asked for from then on is not sent, for the reason given. */
    close: (why?: StopReason): Promise<void> => close(open, why),
    /** Why it was closed; undefined while it is open. */
    closed: (): StopReason | undefined => open.closed,
  };
}
