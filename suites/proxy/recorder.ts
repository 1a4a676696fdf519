import type { Extension } from '../../spec/extension.ts';
import { parameters } from '../../spec/openapi.ts';
import { documentOf, type State, streamOf } from '../checks/evidence-view.ts';
import type { Evidence, Exchange } from '../types/exchange.ts';
import { type SetAside, setAsideReasons, type TrafficCounts } from '../types/traffic.ts';
import { isText, valueAt } from '../reading/json.ts';
import { type Classified, classify, type KnownTarget } from './classify.ts';
import type { Credentials } from './credentials.ts';
import type { Passed, PassedCounts } from './observe.ts';
import { decoded, recordedExchange } from './recorded-exchange.ts';
import type { Room } from './memory-limit.ts';
import { readSingle } from './traffic-plan.ts';

/** Exchanges that are kept at most: of a kind, of a kind that fails in the same way, and in all of each. */
const most = { ofKind: 8, ofFailing: 20, plain: 300, failing: 150 } as const;

/** Ids of responses that are remembered to tell a chain, and characters of each. */
const [mostIds, longestId] = [10_000, 256];

interface RecorderOptions {
  readonly target: KnownTarget;
  readonly credentials: Credentials;
  /** What is judged beside the interface. */
  readonly own?: Extension | undefined;
  /** Where what is judged gives its room back. */
  readonly room: Room;
  /** Bytes of evidence that are kept in all. */
  readonly maxEvidence: number;
  readonly write: (exchange: Exchange) => void;
  /** Called once, when no more is recorded: the bound is reached, or an error says why it can't be written. */
  readonly onFull: (error?: unknown) => void;
}

/** What is recorded so far. */
interface Recording extends RecorderOptions {
  readonly evidence: Map<string, Exchange>;
  /** How many are kept of each kind. */
  readonly kinds: Map<string, number>;
  /** Of responses, to tell a chain. */
  readonly ids: Set<string>;
  readonly setAside: Map<SetAside, { requests: number; answered: number }>;
  readonly chained: { known: number; unknown: number };
  readonly kept: { plain: number; failing: number };
  readonly count: { judged: number; failing: number; unanswered: number };
  bytes: number;
  isFull: boolean;
}

function putAside({ setAside }: Recording, why: SetAside, isAnswered = false): void {
  const before = setAside.get(why) ?? { requests: 0, answered: 0 };
  setAside.set(why, { requests: before.requests + 1, answered: before.answered + (isAnswered ? 1 : 0) });
}

/** What was put aside, here and where it passed. */
function allAside({ setAside }: Recording, { aside }: PassedCounts): TrafficCounts['setAside'] {
  const elsewhere = new Map(aside);
  return setAsideReasons.flatMap((why) => {
    const { requests, answered } = setAside.get(why) ?? { requests: 0, answered: 0 };
    const all = requests + (elsewhere.get(why) ?? 0);
    return all === 0 ? [] : [{ why, requests: all, answered }];
  });
}

function keep(recording: Recording, exchange: Exchange, kind: string, isFailing: boolean): void {
  const { kinds, kept } = recording;
  const bucket = isFailing ? 'failing' : 'plain';
  const seen = kinds.get(kind) ?? 0;
  if (seen >= (isFailing ? most.ofFailing : most.ofKind) || kept[bucket] >= most[bucket]) return;
  const size = Buffer.byteLength(JSON.stringify(exchange));
  if (recording.bytes + size > recording.maxEvidence) {
    end(recording);
    return;
  }
  try {
    recording.write(exchange);
  } catch (error) {
    end(recording, error);
    return;
  }
  recording.bytes += size;
  kinds.set(kind, seen + 1);
  kept[bucket] += 1;
  recording.evidence.set(exchange.id, exchange);
}

function end(recording: Recording, error?: unknown): void {
  recording.isFull = true;
  recording.onFull(error);
}

function noteChain({ chained, ids }: Recording, { parameters: given }: Classified, state: State): void {
  const earlier = given.previous_response_id;
  if (typeof earlier === 'string') chained[ids.has(earlier) ? 'known' : 'unknown'] += 1;
  const id = idOf(state);
  if (id !== undefined && id.length <= longestId && ids.size < mostIds) ids.add(id);
}

async function judge(recording: Recording, id: string, passed: Passed): Promise<void> {
  const { target, credentials, ids, count } = recording;
  const body = recording.isFull ? 'not-recorded' : await decoded(passed);
  if (typeof body === 'string') return putAside(recording, body);
  const exchange = recordedExchange(id, { ...passed, ...body }, target.baseUrl, credentials, (earlier) =>
    ids.has(earlier),
  );
  const known = exchange && classify(exchange.request, target);
  if (exchange === undefined || known === undefined) return putAside(recording, 'not-recorded');
  const { failed, state } = readSingle(target, exchange);
  if (known.protocol === 'responses') noteChain(recording, known, state);
  if (known.setAside === undefined) {
    count.judged += 1;
    if (failed.length > 0) count.failing += 1;
    if (state.kind !== 'answered') count.unanswered += 1;
  } else putAside(recording, known.setAside, state.kind === 'answered');
  const own = recording.own === undefined ? [] : readSingle(target, exchange, recording.own).failed;
  const isFailing = failed.length + own.length > 0 || (exchange.ending.kind === 'cut' && known.stream);
  const kind = [kindOf(known), state.kind, exchange.ending.kind, ...failed, ...own].join(' ');
  keep(recording, exchange, kind, isFailing);
}

async function take(recording: Recording, id: string, passed: Passed): Promise<void> {
  try {
    await judge(recording, id, passed);
  } catch {
    // Whatever our reader makes of it, what comes next is judged.
    putAside(recording, 'not-recorded');
  } finally {
    recording.room.give(passed.taken);
  }
}

/** Records what passed and judges it one by one, within bounds. */
export function createRecorder(options: RecorderOptions) {
  const recording: Recording = {
    ...options,
    ...{ evidence: new Map(), kinds: new Map(), ids: new Set(), setAside: new Map() },
    ...{ chained: { known: 0, unknown: 0 }, kept: { plain: 0, failing: 0 } },
    ...{ count: { judged: 0, failing: 0, unanswered: 0 }, bytes: 0, isFull: false },
  };
  let last = Promise.resolve();
  return {
    /** What is kept, in the order in which it ended. */
    evidence: recording.evidence as Evidence,
    /** Takes what `Watch` records. */
    take: (id: string, passed: Passed): void => {
      // In the order in which they ended: a chain rests on it.
      last = last.then(() => take(recording, id, passed));
    },
    counts: (passed: PassedCounts): TrafficCounts => ({
      passed: passed.passed,
      ...recording.count,
      kept: recording.evidence.size,
      chained: { ...recording.chained },
      setAside: allAside(recording, passed),
      full: recording.isFull,
    }),
    /** Resolves when all that was taken is judged. */
    settled: (): Promise<void> => last,
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
  const inEvents = streamOf(state)?.events.map(({ data }) => valueAt(data, '/response/id')) ?? [];
  return [valueAt(documentOf(state), '/id'), ...inEvents].find(isText);
}
