import type { Target } from '../../fixtures/target/target.ts';
import type { EvidenceView } from '../checks/evidence-view.ts';
import { isInDoubt, isStalled } from '../checks/shared/arrival.ts';
import { recalls } from '../checks/shared/nonces.ts';
import { isRefused } from '../checks/shared/refusals.ts';
import type { Exchange, Unsent } from '../model/exchange.ts';
import { type Condition, type PlannedRequest, spare } from '../model/plan.ts';
import { type ReplyReading, readReply } from '../reading/reply.ts';
import type { Policy } from '../wire/policy.ts';
import { createSlots } from '../wire/slots.ts';
import { type AttemptRecord, WireClosed } from '../wire/send.ts';
import type { Wire } from '../wire/wire.ts';
import { controlsIn } from './controls.ts';
import { prepare, Unmade } from './prepare.ts';

export interface ExecutorOptions {
  readonly target: Target;
  readonly view: EvidenceView;
  readonly wire: Wire;
  /** Keeps an exchange that no request of the plan stands for by itself. */
  readonly record: (exchange: Exchange) => void;
  /** Exchanges under way at once: one that waits for the target keeps its place, and so slows the run down. */
  readonly concurrency: number;
}

/** The last time that a control was sent once more. */
interface SentAgain {
  readonly times: number;
  /** In milliseconds of `performance.now()`. */
  readonly begun: number;
  /** Its name where it was answered. */
  readonly done: Promise<string | null>;
}

/** So many requests in a row without a reply in time, and no more of their kind are sent. */
const silentAfter = 4;

/** Brings one planned request to the target and back, or says why it was not sent. Never rejects. */
export function createExecutor({
  target,
  view,
  wire,
  record,
  concurrency,
}: ExecutorOptions): (request: PlannedRequest) => Promise<Exchange | Unsent> {
  const silent = new Map<string, number>();
  const slots = createSlots(concurrency);
  const controls = controlsIn(view.plan);
  const sentAgain = new Map<string, SentAgain>();

  /** Sends an answered control once more, by itself, and records it. Its new name, where it is answered again soon. */
  async function ask(control: PlannedRequest, times: number): Promise<string | null> {
    const id = `${control.id}~${times}`;
    const soon = { ...policyOf(control), maxAttempts: 3, beside: true } as const;
    const exchange = await wire.exchange({ ...prepare(control, target, view), id }, soon);
    record({ ...exchange, repeats: control.id });
    return view.state(id).kind === 'answered' ? id : null;
  }

  /** The control of a request that may be refused, sent once for all that ask for it meanwhile. */
  function controlOf(id: string): Policy['control'] {
    const candidates = controls.get(id);
    if (candidates === undefined) return undefined;
    return async (begunAfter) => {
      const answered = candidates.find((one) => view.state(one).kind === 'answered');
      const control = answered === undefined ? undefined : view.request(answered);
      if (control === undefined) return null;
      const latest = (): SentAgain | undefined => sentAgain.get(control.id);
      let last = latest();
      while (last !== undefined && last.begun >= begunAfter) {
        const name = await last.done;
        if (name !== null) return name;
        if (last === latest()) break;
        last = latest();
      }
      const times = (last?.times ?? 1) + 1;
      const done = ask(control, times).catch((error: unknown) => {
        if (error instanceof WireClosed) throw error;
        return null;
      });
      sentAgain.set(control.id, { times, begun: performance.now(), done });
      return done;
    };
  }

  async function bring(request: PlannedRequest): Promise<Exchange | Unsent> {
    const { id } = request;
    const kind = `${request.path} ${request.stream}`;
    const pointless = request.when
      .map((condition) => unmet(condition, view))
      .find((why) => why !== undefined);
    if (pointless !== undefined) return { id, unsent: pointless };
    if ((silent.get(kind) ?? 0) >= silentAfter) {
      return { id, unsent: `the last ${silentAfter} requests like it ran out of time` };
    }
    try {
      const control = controlOf(id);
      const policy = { ...policyOf(request), ...(control ? { control } : {}) };
      const exchange = await wire.exchange(prepare(request, target, view), policy);
      silent.set(kind, exchange.ending.kind === 'timeout' ? (silent.get(kind) ?? 0) + 1 : 0);
      return exchange;
    } catch (error) {
      if (error instanceof Unmade || error instanceof WireClosed) return { id, unsent: error.message };
      return { id, unsent: `our error: ${error instanceof Error ? error.message : String(error)}` };
    }
  }

  return async (request) => {
    const free = await slots.take();
    try {
      return await bring(request);
    } finally {
      free();
    }
  };
}

function policyOf({ expect, protocol }: PlannedRequest): Policy {
  // A reply may be megabytes, and is asked about more than once.
  const known = new WeakMap<AttemptRecord, ReturnType<Policy['settled']>>();
  const read = (record: AttemptRecord) => {
    const fresh = settled(readReply(record, protocol));
    known.set(record, fresh);
    return fresh;
  };
  return { expect, settled: (record) => known.get(record) ?? read(record) };
}

function settled(reading: ReplyReading): ReturnType<Policy['settled']> {
  if (reading.kind === 'refusal') return reading.form === 'error-stream' ? 'failed' : 'refused';
  return reading.kind === 'transient' ? 'unclear' : 'answered';
}

/** Why a condition is not met; undefined where it is. */
function unmet(condition: Condition, view: EvidenceView): string | undefined {
  const answered = (id: string): boolean => view.state(id).kind === 'answered';
  switch (condition.kind) {
    case 'answered':
      return condition.any.some(answered) ? undefined : `not answered: ${condition.any.join(', ')}`;
    case 'recorded':
      return undefined;
    case 'unanswered':
      return condition.all.some(answered) ? spare : undefined;
    case 'not-recalled': {
      const { exchange, control } = condition;
      const state = view.state(exchange);
      const protocol = view.request(exchange)?.protocol;
      if (isRefused(view, exchange) && isRefused(view, control)) return undefined;
      if (state.kind !== 'answered' || protocol === undefined || protocol === 'images')
        return 'the attempt before was not answered';
      return recalls(state, protocol, condition.nonce) ? 'not needed: recalled at once' : undefined;
    }
    case 'refused':
      return isRefused(view, condition.exchange) ? undefined : `not needed: ${condition.exchange} is taken`;
    case 'stalled':
      return isStalled(view, condition.exchange)
        ? undefined
        : 'not needed: nothing of ours disturbed the timing before';
    case 'stream-in-doubt':
      return isInDoubt(view, condition.exchanges, condition.controls)
        ? undefined
        : 'not needed: the stream before left no doubt';
    default:
      return condition satisfies never;
  }
}
