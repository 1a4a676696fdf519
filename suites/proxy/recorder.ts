import { isObject } from '../../spec/json.ts';
import { parameters } from '../../spec/openapi.ts';
import { documentOf, type State, streamOf } from '../checks/evidence-view.ts';
import type { Evidence, Exchange } from '../model/exchange.ts';
import { type SetAside, setAsideReasons, type TrafficCounts } from '../model/traffic.ts';
import { isText } from '../reading/json.ts';
import { createStallWatch } from '../wire/stall.ts';
import { type Classified, classify, type KnownTarget, protocolOf } from './classify.ts';
import type { Credentials } from './credentials.ts';
import type { RequestHead, Tap } from './forward.ts';
import { createRoom, type NotObserved, type Observed, observe } from './observe.ts';
import { recordedExchange } from './recorded-exchange.ts';
import { readSingle } from './traffic-plan.ts';

/** Exchanges that are kept at most: of a kind, of a kind that fails in the same way, and in all of each. */
const most = { ofKind: 8, ofFailing: 20, plain: 300, failing: 150 } as const;

/** Bytes of one body, and of all that are under way or wait to be judged. */
const bounds = { requestBytes: 1024 * 1024, replyBytes: 4 * 1024 * 1024 };
const roomBytes = 48 * 1024 * 1024;

/** Ids of responses that are remembered to tell a chain, and characters of each. */
const [mostIds, longestId] = [10_000, 256];

/** Records traffic and judges it as it goes, within bounds. */
export interface Recorder {
  /** Watches one exchange. */
  readonly watch: (head: RequestHead) => Tap;
  /** What is kept, in the order in which it ended. */
  readonly evidence: Evidence;
  readonly counts: () => TrafficCounts;
  /** Resolves when all that has ended is judged. */
  readonly settled: () => Promise<void>;
}

interface RecorderOptions {
  readonly target: KnownTarget;
  readonly credentials: Credentials;
  /** Bytes of evidence that are kept in all. */
  readonly maxEvidence: number;
  readonly write: (exchange: Exchange) => void;
  /** Called once, when no more is recorded: the bound is reached, or an error says why it can't be written. */
  readonly onFull: (error?: unknown) => void;
}

const ignored: Tap = {
  sent: () => undefined,
  head: () => undefined,
  received: () => undefined,
  end: () => undefined,
};

export function createRecorder(options: RecorderOptions): Recorder {
  const { target, credentials } = options;
  const evidence = new Map<string, Exchange>();
  const kinds = new Map<string, number>();
  const ids = new Set<string>();
  const setAside = new Map<SetAside, { requests: number; answered: number }>();
  const chained = { known: 0, unknown: 0 };
  const kept = { plain: 0, failing: 0 };
  const count = { passed: 0, judged: 0, failing: 0, unanswered: 0 };
  const room = createRoom(roomBytes);
  const stalls = createStallWatch();
  const queue: (() => void)[] = [];
  let bytes = 0;
  let isFull = false;
  let whenSettled: (() => void)[] = [];

  function putAside(why: SetAside, isAnswered = false): void {
    const before = setAside.get(why) ?? { requests: 0, answered: 0 };
    setAside.set(why, { requests: before.requests + 1, answered: before.answered + (isAnswered ? 1 : 0) });
  }

  function keep(exchange: Exchange, kind: string, isFailing: boolean): void {
    const bucket = isFailing ? 'failing' : 'plain';
    const seen = kinds.get(kind) ?? 0;
    if (seen >= (isFailing ? most.ofFailing : most.ofKind) || kept[bucket] >= most[bucket]) return;
    const size = Buffer.byteLength(JSON.stringify(exchange));
    if (bytes + size > options.maxEvidence) {
      end();
      return;
    }
    try {
      options.write(exchange);
    } catch (error) {
      end(error);
      return;
    }
    bytes += size;
    kinds.set(kind, seen + 1);
    kept[bucket] += 1;
    evidence.set(exchange.id, exchange);
  }

  function end(error?: unknown): void {
    isFull = true;
    options.onFull(error);
  }

  function noteChain({ parameters: given }: Classified, state: State): void {
    const earlier = given.previous_response_id;
    if (typeof earlier === 'string') chained[ids.has(earlier) ? 'known' : 'unknown'] += 1;
    const id = idOf(state);
    if (id !== undefined && id.length <= longestId && ids.size < mostIds) ids.add(id);
  }

  function judge(id: string, observed: Observed): void {
    const before = credentials.unmasked();
    const exchange = recordedExchange(id, observed, target.baseUrl, credentials);
    const known = classify(exchange.request, target);
    if (isFull || credentials.unmasked() > before || known === undefined) {
      putAside('not-recorded');
      return;
    }
    const { failed, state } = readSingle(target, exchange);
    if (known.protocol === 'responses') noteChain(known, state);
    if (known.setAside === undefined) {
      count.judged += 1;
      if (failed.length > 0) count.failing += 1;
      if (state.kind !== 'answered') count.unanswered += 1;
    } else putAside(known.setAside, state.kind === 'answered');
    const isFailing = failed.length > 0 || (exchange.ending.kind === 'cut' && known.stream);
    keep(exchange, [kindOf(known), state.kind, exchange.ending.kind, ...failed].join(' '), isFailing);
  }

  // One at a time, and others' bytes between them: judging must not hold up what passes.
  function next(): void {
    queue.shift()?.();
    if (queue.length > 0) setImmediate(next);
    else {
      for (const tell of whenSettled) tell();
      whenSettled = [];
    }
  }

  function done(id: string, result: Observed | NotObserved, free: () => void): void {
    if (typeof result === 'string') {
      putAside(result === 'memory-full' ? 'not-recorded' : result);
      return;
    }
    queue.push(() => {
      try {
        judge(id, result);
      } catch {
        // Whatever our reader makes of it, what passes must go on.
        putAside('not-recorded');
      } finally {
        free();
      }
    });
    if (queue.length === 1) setImmediate(next);
  }

  return {
    evidence,
    watch: (head) => {
      count.passed += 1;
      const protocol = protocolOf(head.method, head.path);
      if (protocol === undefined || isFull) {
        putAside(protocol === undefined ? 'other-path' : 'not-recorded');
        return ignored;
      }
      const id = `live.${protocol}.${count.passed}`;
      return observe(head, { bounds, room, stalls, done: (result, free) => done(id, result, free) });
    },
    counts: () => ({
      ...count,
      kept: evidence.size,
      chained: { ...chained },
      setAside: setAsideReasons.flatMap((why) => {
        const found = setAside.get(why);
        return found ? [{ why, ...found }] : [];
      }),
      full: isFull,
    }),
    settled: () =>
      queue.length === 0 ? Promise.resolve() : new Promise((resolve) => void whenSettled.push(resolve)),
  };
}

/** What an exchange is alike to others in: of what clients send without bound, nothing is in it. */
function kindOf({ protocol, families, groups, stream, setAside, parameters: given }: Classified): string {
  const names = parameters(protocol).filter(({ name }) => given[name] !== undefined);
  const valued = ['n', 'response_format', 'stream'].map((name) => String(given[name]).slice(0, 10));
  const shown = setAside === 'outside-contract' ? [] : [...names.map(({ name }) => name), ...valued];
  return JSON.stringify([protocol, families, groups, stream, setAside ?? '', ...shown]);
}

/** The id of a response, also of one that came as a stream. */
function idOf(state: State): string | undefined {
  const json = documentOf(state);
  const inEvents = streamOf(state)?.events.map(({ data }) => (isObject(data) ? data.response : undefined));
  const found = [json, ...(inEvents ?? [])].find((each) => isObject(each) && isText(each.id));
  return isObject(found) && isText(found.id) ? found.id : undefined;
}
