import { type Evidence, type Exchange, isExchange, plannedBehind, type Unsent } from '../types/exchange.ts';
import type { Plan, PlannedRequest } from '../types/plan.ts';
import { takesFrom } from '../plan/shards.ts';
import { againId } from '../types/request-ids.ts';
import { smallerId } from '../types/smaller-request.ts';
import { isRateLimit, transientOf } from '../reading/transient.ts';
import type { Target } from '../../fixtures/target/target.ts';
import type { EvidenceView } from '../checks/evidence-view.ts';
import type { EarlierPart } from '../types/run.ts';
import type { PastExchange } from '../wire/retry/earlier-exchanges.ts';
import type { createBilling } from './billing.ts';
import { billingOf, optionsOf } from './executor.ts';
import { isLogin } from '../plan/lanes.ts';
import { waitsIn } from './order.ts';
import { NotPreparable, prepare } from './prepare.ts';

/** What a shard asked, and what it recorded. */
export interface ShardEvidence {
  readonly plan: Plan;
  readonly evidence: Evidence;
}

/** New ids of the controls that were sent once more, by shard: each shard numbers its own from 2. */
function renumbered(shards: readonly ShardEvidence[]): readonly ReadonlyMap<string, string>[] {
  const times = new Map<string, number>();
  return shards.map(({ evidence }) => {
    const ids = new Map<string, string>();
    for (const entry of evidence.values()) {
      if (!isExchange(entry) || entry.repeats === undefined) continue;
      const number = (times.get(entry.repeats) ?? 1) + 1;
      times.set(entry.repeats, number);
      ids.set(entry.id, againId(entry.repeats, number));
    }
    return ids;
  });
}

/** What was sent to show the failure of an exchange is named for that one. */
function withOwnId(exchange: Exchange, ids: ReadonlyMap<string, string>): Exchange {
  const { id, smaller } = exchange;
  if (smaller === undefined) return { ...exchange, id: ids.get(id) ?? id };
  const of = ids.get(smaller.of) ?? smaller.of;
  return { ...exchange, id: smallerId(of, smaller.cuts, smaller.time), smaller: { ...smaller, of } };
}

const withIds = (exchange: Exchange, ids: ReadonlyMap<string, string>): Exchange => ({
  ...withOwnId(exchange, ids),
  attempts: exchange.attempts.map((attempt) =>
    attempt.control === undefined
      ? attempt
      : { ...attempt, control: ids.get(attempt.control) ?? attempt.control },
  ),
});

/** How good a record is where several shards have one: a reply that can be judged, any exchange, why none was sent. */
function rank(entry: Exchange | Unsent, { expect }: PlannedRequest): number {
  if (!isExchange(entry)) return 2;
  return transientOf(entry) === null || (expect === 'limited' && isRateLimit(entry)) ? 0 : 1;
}

/** For each request whose reply others take something over from, and what stands for it, the shard that they are in. */
const shardsOfDependents = (shards: readonly ShardEvidence[]): ReadonlyMap<string, number> =>
  new Map(
    shards.flatMap(({ plan: { requests } }, shard) => {
      const taken = new Set(requests.flatMap(takesFrom));
      const standing = requests.flatMap(({ id, standsFor = [] }) => (taken.has(id) ? standsFor : []));
      return [...taken, ...standing].map((id): readonly [string, number] => [id, shard]);
    }),
  );

/** The evidence of one run from that of all shards: of what several sent the one that its dependents rest on, else the first judged. */
export function mergedEvidence(plan: Plan, shards: readonly ShardEvidence[]): Evidence {
  const ids = renumbered(shards);
  const dependents = shardsOfDependents(shards);
  const merged = new Map<string, Exchange | Unsent>();
  const add = (entry: Exchange | Unsent, shard: number): void => {
    const own = isExchange(entry) ? withIds(entry, ids[shard] ?? new Map()) : entry;
    merged.set(own.id, own);
  };
  for (const request of plan.requests) {
    const { id } = request;
    const found = shards.flatMap(({ evidence }, shard) => {
      const entry = evidence.get(id);
      return entry === undefined ? [] : [{ entry, shard, isDependents: dependents.get(id) === shard }];
    });
    const [best] = found.sort(
      (one, other) =>
        Number(other.isDependents) - Number(one.isDependents) ||
        rank(one.entry, request) - rank(other.entry, request),
    );
    if (best !== undefined) add(best.entry, best.shard);
  }
  for (const [shard, { evidence }] of shards.entries())
    for (const entry of evidence.values())
      if (isExchange(entry) && (entry.repeats ?? entry.part ?? entry.smaller) !== undefined)
        add(entry, shard);
  return merged;
}

export function withAskedAgain(earlier: Evidence, again: ShardEvidence): Evidence {
  const asked = new Set(again.plan.requests.map(({ id }) => id));
  const kept = [...earlier].filter(([, entry]) => !asked.has(plannedBehind(entry, earlier)));
  return new Map([...kept, ...again.evidence]);
}

/** What a run that goes on takes over: every exchange. Why something was not sent is decided again. Of a dead target nothing. */
export function settledIn(evidence: Evidence): Evidence {
  const exchanges = [...evidence.values()].filter(isExchange);
  if (exchanges.every((exchange) => transientOf(exchange) !== null)) return new Map();
  return new Map(exchanges.map((exchange) => [exchange.id, exchange]));
}

/** The exchanges of the earlier part of a run, in the form in which the wire learns from them. */
export const earlierExchanges = (
  target: Target,
  view: EvidenceView,
  { evidence }: EarlierPart,
  billing: ReturnType<typeof createBilling> | undefined,
): readonly PastExchange[] =>
  [...evidence.values()].filter(isExchange).flatMap((exchange) => {
    const request = view.requestOf(exchange);
    if (request === undefined) return [];
    try {
      const prepared = prepare(request, target, view);
      const own = { ...optionsOf(request), ...billingOf({ billing }, request, prepared) };
      return [{ exchange, prepared, own }];
    } catch (error) {
      if (error instanceof NotPreparable) return [];
      throw error;
    }
  });

/** How many requests with a wrong credential may have been under way, unrecorded, when the earlier part ended. */
export function wrongUnderWay(plan: Plan, { evidence }: EarlierPart): number {
  const waits = waitsIn(plan);
  const isRecorded = (id: string): boolean => evidence.has(id);
  return plan.requests
    .filter((request) => isLogin(request) && !isRecorded(request.id))
    .filter((request) => waits(request).always.flat().every(isRecorded)).length;
}
