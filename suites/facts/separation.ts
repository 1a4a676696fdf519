import { decisions } from '../../spec/decisions.ts';
import { groupBy } from '../../spec/group-by.ts';
import type { EvidenceView } from '../checks/evidence-view.ts';
import {
  allReplies,
  type JudgedReplies,
  noReplies,
  type ReplyRef,
  type Separation,
  type Trait,
} from '../types/separation.ts';
import { chanceOfDifference } from './exact-test.ts';
import { type SentReply, sentReply, type SentTurn, turnReader } from './sent-requests.ts';

interface Told {
  readonly trait: Trait;
  readonly has: (reply: Reply) => boolean;
}

interface Reply extends SentReply {
  /** The traits, to compare. */
  readonly keys: ReadonlySet<string>;
  readonly ref: ReplyRef;
}

interface Both {
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
const otherTraits = ({ broken, kept: [first, ...rest] }: Both): readonly Told[] =>
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
function ownTraits(both: Both): readonly Told[] {
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

function orderTraits(both: Both, readTurn: (ref: ReplyRef) => SentTurn | undefined): readonly Told[] {
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

/** The most traits that are told where each of them tells the replies apart: of more nobody learns anything. */
const mostAlike = 3;

/** A parameter with any value is told before one of its values, and whether a stream is asked for before its parameter. */
function withoutRepeats(told: readonly Told[]): readonly Told[] {
  const traits = told.map(({ trait }) => trait);
  const isTold = (name: string): boolean =>
    traits.some((trait) => trait.kind === 'any-value' && trait.name === name);
  const kinds = new Set<Trait['kind']>(traits.map(({ kind }) => kind));
  const isOfStream = kinds.has('streamed') || kinds.has('unstreamed');
  return told.filter(({ trait }) => {
    // Of `stream` its value says more: given or not, it asks for one or does not.
    if ('name' in trait && trait.name === 'stream') return !isOfStream && trait.kind !== 'any-value';
    if (trait.kind === 'length') return !kinds.has('prompt-length');
    if (trait.kind === 'turns') return !kinds.has('earlier-turns');
    return !(trait.kind === 'member' && isTold(trait.name));
  });
}

/** Traits that the same of the others have tell no more than one of them. */
function alikeTraits(own: readonly Told[], kept: readonly Reply[]): readonly (readonly Told[])[] {
  const groups = groupBy(own, ({ has }) => kept.map((reply) => Number(has(reply))).join(''));
  return [...groups.values()].map(withoutRepeats).filter(([first]) => first && !kept.every(first.has));
}

/** Two traits that only those have together that fail; undefined where several two are so. */
function pairTold(own: readonly Told[], { kept }: Both, most: number): readonly [Trait, Trait] | undefined {
  const groups = alikeTraits(own, kept);
  const pairs = groups.flatMap((one, at) => groups.slice(at + 1).map((other) => [one, other] as const));
  if (pairs.length > most) return undefined;
  const [found, ...others] = pairs.filter(
    ([[one], [other]]) => !kept.some((reply) => one?.has(reply) && other?.has(reply)),
  );
  const [[one, ...alike] = [], [other, ...alikeOther] = []] = found ?? [];
  const isOne = others.length === 0 && alike.length === 0 && alikeOther.length === 0;
  return isOne && one && other ? [one.trait, other.trait] : undefined;
}

/** How many requests differ in anything: one that is sent again shows nothing new of what it has. */
const kinds = (replies: readonly Reply[]): number =>
  new Set(replies.map(({ keys, turns }) => [...keys, turns].join())).size;

/** The chance that something splits replies into just these two parts. */
const chanceOf = (broken: number, kept: number): number =>
  chanceOfDifference({ seen: broken, of: broken }, { seen: 0, of: kept });

/**
 * The smallest condition under which a failure shows; undefined where nothing of it is seen, or too much.
 * @param tried what was sent behind the run to show it once more: it speaks against a time, and never for one
 */
export function separationOf(
  view: EvidenceView,
  replies: JudgedReplies,
  tried: JudgedReplies = noReplies,
): Separation | undefined {
  const both = bothOf(view, allReplies(replies, tried));
  const { broken, kept } = both;
  if (broken.length === 0 || kept.length === 0) return undefined;
  const of = broken.length;
  const chance = chanceOf(kinds(broken), kinds(kept));
  const separates = ({ has }: Told): boolean => !kept.some(has);
  const own = ownTraits(both);
  const { single: ofOne, further: level } = decisions.toldConditions;
  const single = own.filter(separates);
  if (single.length > 0) return chance <= ofOne ? told(single, of) : undefined;
  const other = chance <= ofOne ? otherTraits(both) : [];
  if (other.length > 0) return told(other, of);
  const order = orderTold(view, replies).filter(({ has }) => broken.every(has) && !kept.some(has));
  if (order.length > 0) return told(order.slice(0, 1), of);
  const pair = pairTold(own, both, level / chance);
  if (pair) return { traits: pair, alike: [], having: of };
  return mostlyTold(own, both, level);
}

const bothOf = (view: EvidenceView, { broken, kept }: JudgedReplies): Both => ({
  broken: repliesOf(view, broken),
  kept: repliesOf(view, kept),
});

/** When those that fail were sent, and none of the others. */
function orderTold(view: EvidenceView, replies: JudgedReplies): readonly Told[] {
  const both = bothOf(view, replies);
  const { broken, kept } = both;
  const { further, fewest } = decisions.toldConditions;
  const isMany = broken.length >= fewest && kept.length >= fewest;
  if (!isMany || chanceOf(broken.length, kept.length) > further) return [];
  return orderTraits(both, turnReader(view)).filter(({ has }) => !kept.some(has));
}

/** When replies to one request show a failure, and when they don't: the shortest turns that tell it. */
export function whenOf(view: EvidenceView, replies: JudgedReplies): Separation | undefined {
  const found = orderTold(view, replies);
  const [round] = found.filter(({ trait }) => trait.kind === 'every');
  return told(
    found.filter((each) => each.trait.kind !== 'every' || each === round),
    replies.broken.length,
  );
}

/** What all of those that fail have, and so few others that chance does not explain it. */
function mostlyTold(own: readonly Told[], { broken, kept }: Both, level: number): Separation | undefined {
  const seen = kinds(broken);
  const counted = own
    .map((each) => ({ each, others: kept.filter(each.has) }))
    .filter(({ others }) => {
      const having = seen + kinds(others);
      const lacking = kinds(kept) - kinds(others);
      return chanceOfDifference({ seen, of: having }, { seen: 0, of: lacking }) * own.length <= level;
    });
  const fewest = Math.min(...counted.map(({ others }) => others.length));
  return told(
    counted.filter(({ others }) => others.length === fewest).map(({ each }) => each),
    broken.length + fewest,
  );
}

function told(found: readonly Told[], number: number): Separation | undefined {
  const [first, ...others] = withoutRepeats(found).map(({ trait }) => trait);
  if (first === undefined || others.length >= mostAlike) return undefined;
  return { traits: [first], alike: others, having: number };
}
