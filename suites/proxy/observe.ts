import type { AttemptRecord } from '../wire/send.ts';
import { bodyBytes } from '../types/limits.ts';
import { type StallWatch, createStallWatch } from '../wire/stall.ts';
import type { PassedEnd, RequestHead, Tap } from './forward.ts';
import type { RawHeaders } from './headers.ts';
import type { Room } from './memory-limit.ts';
import type { SetAside } from '../types/traffic.ts';
import { protocolOf } from './classify.ts';

/** A body as its bytes came, and which part of it had come when. It can be handed to another thread. */
export interface Gathered {
  /** Its bytes in their order; each page is memory of its own, and the last ones are filled as far as `bytes` tells. */
  readonly pages: readonly Uint8Array<ArrayBuffer>[];
  readonly bytes: number;
  /** How many bytes had come, and when, in milliseconds since the request. */
  readonly arrivals: readonly (readonly [bytes: number, ms: number])[];
}

/** Most bodies fit into the first page. */
const [firstPage, furtherPage] = [4096, 64 * 1024];

/** Arrivals of one body that are kept; beyond, every second one counts as come with the next. */
const maxArrivals = 2_000;

/** Copies what passes: the bytes themselves belong to whoever passes them on. */
export function createGatherer() {
  let pages: Uint8Array<ArrayBuffer>[] = [];
  let free = 0;
  let bytes = 0;
  let arrivals: (readonly [bytes: number, ms: number])[] = [];

  const room = (): Uint8Array => {
    if (free === 0) {
      free = pages.length === 0 ? firstPage : furtherPage;
      pages.push(new Uint8Array(free));
    }
    const page = pages.at(-1) ?? new Uint8Array(0);
    return page.subarray(page.length - free);
  };
  return {
    add: (piece: Uint8Array, ms: number): void => {
      for (let start = 0; start < piece.length; ) {
        const part = room();
        const taken = piece.subarray(start, start + part.length);
        part.set(taken);
        free -= taken.length;
        start += taken.length;
      }
      bytes += piece.length;
      arrivals.push([bytes, ms]);
      const { length } = arrivals;
      if (length > maxArrivals) arrivals = arrivals.filter((_, at) => (length - at) % 2 === 1);
    },
    gathered: (): Gathered => ({ pages, bytes, arrivals }),
    release: (): void => {
      [pages, arrivals, free] = [[], [], 0];
    },
  };
}

const wholeOf = ({ pages, bytes }: Gathered): Buffer => Buffer.concat(pages, bytes);

export function piecesOf(body: Gathered): readonly (readonly [bytes: Buffer, ms: number])[] {
  const whole = wholeOf(body);
  return body.arrivals.map(([end, ms], at) => [whole.subarray(body.arrivals[at - 1]?.[0] ?? 0, end), ms]);
}

export const textOf = (body: Gathered): string => wholeOf(body).toString('utf8');

/** What passed, and what of it nobody was given to judge. */
export interface PassedCounts {
  readonly passed: number;
  readonly aside: readonly (readonly [why: SetAside, requests: number])[];
}

const ignored: Tap = { sent() {}, head() {}, received() {}, end() {} };

/** Watches all that passes, and may not hold it up. `record` takes each exchange of an endpoint that passed whole. */
export function createWatch(room: Room, record: (id: string, passed: Passed) => void) {
  const aside = new Map<SetAside, number>();
  const stalls = createStallWatch();
  let passed = 0;
  let isStopped = false;
  const putAside = (why: SetAside): void => void aside.set(why, (aside.get(why) ?? 0) + 1);
  return {
    watch: (head: RequestHead): Tap => {
      passed += 1;
      const protocol = protocolOf(head.method, head.path);
      if (protocol === undefined || isStopped) {
        putAside(protocol === undefined ? 'other-path' : 'not-recorded');
        return ignored;
      }
      const id = `live.${protocol}.${passed}`;
      return observe(head, {
        room,
        stalls,
        done: (result) => {
          if (typeof result !== 'string') record(id, result);
          else putAside(result === 'memory-full' ? 'not-recorded' : result);
        },
      });
    },
    counts: (): PassedCounts => ({ passed, aside: [...aside] }),
    /** From now on nothing is gathered. */
    stop: (): void => {
      isStopped = true;
    },
  };
}

/** An exchange as it passed: nothing decoded, nothing masked. It can be handed to another thread. */
export interface Passed extends Pick<AttemptRecord, 'startedAt' | 'headersMs' | 'endMs' | 'stallMs'> {
  readonly head: RequestHead;
  readonly sent: Gathered;
  readonly status: number | null;
  readonly headers: RawHeaders;
  readonly received: Gathered;
  readonly end: Exclude<PassedEnd, { kind: NotPassed }>;
  /** What it takes of the room, to be given back when it is judged. */
  readonly taken: number;
}

type NotPassed = 'client-left' | 'not-connected';

/** Why nothing of an exchange is kept. */
type NotObserved = NotPassed | 'too-large' | 'memory-full';

/** Bytes of a request's body, and of a reply's before and after decoding, that are recorded at most. */
export const bodyBounds = { request: 1024 * 1024, reply: bodyBytes.traffic } as const;

/** Bytes that an exchange takes beside its bodies and its headers. */
const besides = 8 * 1024;

const sizeOf = (headers: RawHeaders): number => headers.reduce((sum, text) => sum + text.length, 0);

interface Watching {
  readonly room: Room;
  readonly stalls: StallWatch;
  readonly done: (result: Passed | NotObserved) => void;
}

/** Gathers an exchange while it passes. What passes a bound is dropped at once, and passed on all the same. */
function observe(head: RequestHead, { room, stalls, done }: Watching): Tap {
  const start = performance.now();
  const startedAt = new Date().toISOString();
  const stalled = stalls.start();
  const ms = (): number => Math.round((performance.now() - start) * 100) / 100;
  const bodies = { sent: createGatherer(), received: createGatherer() };
  const bytes = { sent: 0, received: 0 };
  const most = { sent: bodyBounds.request, received: bodyBounds.reply };
  let taken = 0;
  let dropped: NotObserved | undefined;
  let reply: Pick<Passed, 'status' | 'headers' | 'headersMs'> = {
    status: null,
    headers: [],
    headersMs: null,
  };
  const drop = (why: NotObserved): void => {
    if (dropped !== undefined) return;
    dropped = why;
    room.give(taken);
    taken = 0;
    for (const body of Object.values(bodies)) body.release();
  };
  const admit = (size: number): boolean => {
    if (dropped !== undefined) return false;
    if (room.take(size)) taken += size;
    else drop('memory-full');
    return dropped === undefined;
  };
  const add = (to: keyof typeof bodies, piece: Buffer): void => {
    bytes[to] += piece.length;
    if (bytes[to] > most[to]) drop('too-large');
    else if (admit(piece.length)) bodies[to].add(piece, ms());
  };

  admit(besides + sizeOf(head.headers));
  return {
    sent: (piece) => add('sent', piece),
    head: (status, headers) => {
      reply = { status, headers, headersMs: ms() };
      admit(sizeOf(headers));
    },
    received: (piece) => add('received', piece),
    end: (end) => {
      const [endMs, stallMs] = [ms(), stalled()];
      if (end.kind === 'client-left' || end.kind === 'not-connected') {
        drop(end.kind);
        done(dropped ?? end.kind);
        return;
      }
      const [sent, received] = [bodies.sent.gathered(), bodies.received.gathered()];
      done(dropped ?? { head, sent, ...reply, received, end, startedAt, endMs, stallMs, taken });
    },
  };
}
