import type { EvidenceView } from '../checks/evidence-view.ts';
import type { ReplyRef, Trait } from '../types/separation.ts';
import { type SentReply, type SentTurn, sentReply } from './request-traits.ts';

export interface Told {
  readonly trait: Trait;
  readonly has: (reply: Reply) => boolean;
}

export interface Reply extends SentReply {
  /** The traits, to compare. */
  readonly keys: ReadonlySet<string>;
  readonly ref: ReplyRef;
}

export interface Both {
  readonly broken: readonly Reply[];
  readonly kept: readonly Reply[];
}

const keyOf = (trait: Trait): string => JSON.stringify(trait);

/** What a client of live traffic wrote, which is not for a headline. */
const isOfClient = (trait: Trait): boolean =>
  trait.kind === 'header' || (trait.kind === 'member' && typeof trait.value === 'string');

export const repliesOf = (view: EvidenceView, refs: readonly ReplyRef[]): readonly Reply[] =>
  refs.flatMap((ref) => {
    const { exchange } = view.state(ref.id);
    const request = exchange && view.requestOf(exchange);
    if (!exchange || !request) return [];
    const sent = sentReply(exchange.request, request);
    const traits = view.plan.source ? sent.traits.filter((trait) => !isOfClient(trait)) : sent.traits;
    return [{ ...sent, traits, keys: new Set(traits.map(keyOf)), ref }];
  });

const having = (trait: Trait): Told => ({ trait, has: ({ keys }) => keys.has(keyOf(trait)) });

const lacking = (name: string): Told => ({
  trait: { kind: 'left-out', name },
  has: ({ keys }) => !keys.has(keyOf({ kind: 'any-value', name })),
});

/** The model or the token that all others have, and none of those that fail. */
export const otherTraits = ({ broken, kept: [first, ...rest] }: Both): readonly Told[] =>
  (first?.traits ?? []).flatMap((trait): readonly Told[] => {
    if (trait.kind !== 'model' && trait.kind !== 'token') return [];
    const { has } = having(trait);
    if (broken.some(has) || !rest.every(has)) return [];
    const kind = trait.kind === 'model' ? 'other-model' : 'other-token';
    return [{ trait: { kind, name: trait.name }, has: (reply) => !has(reply) }];
  });

/** From the least of those that fail on, where that is more than any other has. */
function beyond(
  { broken, kept }: Both,
  of: (reply: Reply) => number,
  trait: (least: number, others: number) => Trait,
): readonly Told[] {
  const [least, others] = [Math.min(...broken.map(of)), Math.max(...kept.map(of))];
  return least > others ? [{ trait: trait(least, others), has: (reply) => of(reply) >= least }] : [];
}

/** What a request has or lacks by itself, of what all those that fail have. */
export function ownTraits(both: Both): readonly Told[] {
  const { broken, kept } = both;
  const traits = [...broken, ...kept].flatMap((reply) => reply.traits);
  const distinct = [...new Map(traits.map((trait) => [keyOf(trait), trait])).values()];
  const names = distinct.flatMap((trait) => (trait.kind === 'any-value' ? [trait.name] : []));
  return [
    ...distinct.map(having),
    ...names.map(lacking),
    ...beyond(
      both,
      ({ turns }) => turns,
      (least) => ({ kind: 'turns', least }),
    ),
    ...beyond(
      both,
      ({ characters }) => characters,
      (least, others) => ({ kind: 'length', least, others }),
    ),
    ...beyond(
      both,
      ({ promptCharacters }) => promptCharacters,
      (least, others) => ({ kind: 'prompt-length', least, others }),
    ),
  ].filter(({ has }) => broken.every(has));
}

const notSent: SentTurn = { ofEndpoint: 0, ofAll: 0, beside: 0, after: undefined, before: undefined };

/** The most requests from one that fails to the next. */
const longestRound = 20;

export function orderTraits(both: Both, readTurn: (ref: ReplyRef) => SentTurn | undefined): readonly Told[] {
  const { broken } = both;
  // Also of replies that these traits are not made of: what is sent later speaks against a time.
  const turns = new Map<ReplyRef, SentTurn>();
  const turnOf = ({ ref }: Reply): SentTurn => {
    const turn = turns.get(ref) ?? readTurn(ref) ?? notSent;
    turns.set(ref, turn);
    return turn;
  };
  const rounds = Array.from({ length: longestRound - 1 }, (_, at) => at + 2).flatMap((each) =>
    [true, false].map((ofEndpoint): Told => {
      const placeOf = (reply: Reply): number => turnOf(reply)[ofEndpoint ? 'ofEndpoint' : 'ofAll'] % each;
      const place = broken[0] && placeOf(broken[0]);
      return { trait: { kind: 'every', each, ofEndpoint }, has: (reply) => placeOf(reply) === place };
    }),
  );
  const after = (['stream', 'refusal'] as const).map(
    (what): Told => ({ trait: { kind: 'after', what }, has: (reply) => turnOf(reply).after === what }),
  );
  return [
    ...beyond(
      both,
      (reply) => turnOf(reply).ofAll,
      (before, others) => ({ kind: 'from', number: before + 1, others: others + 1 }),
    ),
    ...beyond(
      both,
      (reply) => turnOf(reply).beside,
      (least) => ({ kind: 'beside', least }),
    ),
    ...after,
    ...rounds,
  ].filter(({ has }) => broken.every(has));
}
