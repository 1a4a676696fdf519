import { protocols } from '../../spec/vocabulary.ts';
import type { EvidenceView } from '../checks/evidence-view.ts';
import type { ReplyRef, Trait } from '../types/separation.ts';
import { chanceOfDifference } from './exact-test.ts';
import { repliesOf, separationOf } from './separation.ts';
import type { ReplyGroup } from './reply-groups.ts';
import { chancesOf, isNever, type ValidReply } from './valid-replies.ts';

const kinds: ReadonlySet<Trait['kind']> = new Set([
  ...(['member', 'any-value', 'left-out', 'streamed', 'unstreamed'] as const),
  ...(['system-turn', 'earlier-turns', 'beyond-ascii', 'sign', 'header'] as const),
]);

/** How many tokens, or images, a request asks for: a limit may count them (8, rule 3). */
const amounts: ReadonlySet<string> = new Set(['max_tokens', 'n']);

/** Whether the interface takes it of everyone at any time: how much it takes is not shown (8, rules 3 and 4). */
const isTaken = (trait: Trait): boolean =>
  kinds.has(trait.kind) && !(trait.kind === 'member' && amounts.has(trait.name));

const refsOf = (replies: readonly ValidReply[]): readonly ReplyRef[] =>
  replies.map(({ id }) => ({ id, attempt: 0 }));

/** The replies of one endpoint of which just those were lost that have one thing in common. */
interface LostGroup extends ReplyGroup {
  /** What these have in common. */
  readonly traits: readonly Trait[];
  /** That just these were lost. */
  readonly chanceOfThese: number;
  /** That just those were lost that have anything in common: each thing that may tell them apart is a test of its own. */
  readonly chance: number;
}

/** For each endpoint its valid requests, where just those were lost that have one thing or two: their controls were answered. */
export const lostGroups = (view: EvidenceView, replies: readonly ValidReply[]): readonly LostGroup[] =>
  protocols.flatMap((protocol) => {
    const own = replies
      .filter((reply) => reply.protocol === protocol)
      .map((reply) => (isNever(reply) ? { ...reply, outcome: 'lost' as const } : reply));
    const lost = own.filter(({ outcome }) => outcome === 'lost');
    const kept = own.filter(({ outcome }) => outcome !== 'lost');
    const told = separationOf(view, { broken: refsOf(lost), kept: refsOf(kept) });
    if (told?.having !== lost.length) return [];
    if (![...told.traits, ...told.alike].every(isTaken)) return [];
    const traits = new Set(repliesOf(view, refsOf(own)).flatMap(({ keys }) => [...keys])).size;
    const { seen } = chancesOf(own, 'lost');
    const chanceOfThese = chanceOfDifference({ seen, of: seen }, { seen: 0, of: kept.length });
    const chance = Math.min(1, chanceOfThese * traits ** told.traits.length);
    return [{ protocol, traits: told.traits, replies: own, chanceOfThese, chance }];
  });
