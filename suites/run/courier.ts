import type { Target } from '../../fixtures/target/target.ts';
import { isInDoubt } from '../checks/arrival.ts';
import type { Dossier } from '../checks/dossier.ts';
import { recalls } from '../checks/recall.ts';
import type { Exchange, Unsent } from '../model/exchange.ts';
import type { Condition, PlannedRequest } from '../model/plan.ts';
import { readReply } from '../reading/reply.ts';
import { createSlots } from '../wire/slots.ts';
import { WireClosed } from '../wire/send.ts';
import type { Wire } from '../wire/wire.ts';
import { prepare, Unmade } from './prepare.ts';

export interface CourierOptions {
  readonly target: Target;
  readonly dossier: Dossier;
  readonly wire: Wire;
  /** Exchanges under way at once: one that waits for the target keeps its place, and so slows the run down. */
  readonly concurrency: number;
}

/** So many requests in a row without a reply in time, and no more of their kind are sent. */
const silentAfter = 4;

/** Brings one planned request to the target and back, or says why it was not sent. Never rejects. */
export function createCourier({
  target,
  dossier,
  wire,
  concurrency,
}: CourierOptions): (request: PlannedRequest) => Promise<Exchange | Unsent> {
  const silent = new Map<string, number>();
  const slots = createSlots(concurrency);

  async function bring(request: PlannedRequest): Promise<Exchange | Unsent> {
    const { id } = request;
    const kind = `${request.path} ${request.stream}`;
    const pointless = request.when
      .map((condition) => unmet(condition, dossier))
      .find((why) => why !== undefined);
    if (pointless !== undefined) return { id, unsent: pointless };
    if ((silent.get(kind) ?? 0) >= silentAfter) {
      return { id, unsent: `the last ${silentAfter} requests like it ran out of time` };
    }
    try {
      const exchange = await wire.exchange(prepare(request, target, dossier), {
        expect: request.expect,
        settled: (record) => settled(readReply(record, request.protocol).kind),
      });
      silent.set(kind, exchange.ending.kind === 'timeout' ? (silent.get(kind) ?? 0) + 1 : 0);
      return exchange;
    } catch (error) {
      if (error instanceof Unmade) return { id, unsent: error.message };
      if (error instanceof WireClosed) return { id, unsent: error.message };
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

const settled = (kind: ReturnType<typeof readReply>['kind']) =>
  kind === 'refusal' ? 'refused' : kind === 'transient' ? 'unclear' : 'answered';

/** Why a condition is not met; undefined where it is. */
function unmet(condition: Condition, dossier: Dossier): string | undefined {
  const answered = (id: string): boolean => dossier.state(id).kind === 'answered';
  switch (condition.kind) {
    case 'answered':
      return condition.any.some(answered) ? undefined : `not answered: ${condition.any.join(', ')}`;
    case 'recorded':
      return undefined;
    case 'unanswered':
      return condition.all.some(answered) ? 'not needed: the smallest request is answered' : undefined;
    case 'not-recalled': {
      const state = dossier.state(condition.exchange);
      const protocol = dossier.request(condition.exchange)?.protocol;
      if (state.kind !== 'answered' || protocol === undefined || protocol === 'images')
        return 'the attempt before was not answered';
      return recalls(state, protocol, condition.nonce) ? 'not needed: recalled at once' : undefined;
    }
    case 'stream-in-doubt':
      return isInDoubt(dossier, condition.exchanges, condition.beside)
        ? undefined
        : 'not needed: the stream before left no doubt';
    default:
      return condition satisfies never;
  }
}
