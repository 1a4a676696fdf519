import { protocols } from '../../spec/vocabulary.ts';
import type { EvidenceView } from '../checks/evidence-view.ts';
import type { ReplyRef, Trait } from '../types/separation.ts';
import { chanceOfDifference } from './exact-test.ts';
import { repliesOf, separationOf } from './separation.ts';
import type { ReplyGroup } from './reply-groups.ts';
import { chancesOf, type ValidReply } from './valid-replies.ts';

/** What a request may have that the interface takes of everyone at any time: how much it takes is not shown (8.4). */
const taken: ReadonlySet<Trait['kind']> = new Set([
  ...(['member', 'any-value', 'left-out', 'streamed', 'unstreamed'] as const),
  ...(['system-turn', 'beyond-ascii', 'sign', 'header'] as const),
]);

const refsOf = (replies: readonly ValidReply[]): readonly ReplyRef[] =>
  replies.map(({ id }) => ({ id, attempt: 0 }));

/** The replies of one endpoint of which just those were lost that have one thing in common. */
interface LostGroup extends ReplyGroup {
  /** That just these were lost. */
  readonly chanceOfThese: number;
  /** That just those were lost that have anything in common: each thing that may tell them apart is a test of its own. */
  readonly chance: number;
}

/** For each endpoint its valid requests, where just those were lost that have one thing or two: their controls were answered. */
export const lostGroups = (view: EvidenceView, replies: readonly ValidReply[]): readonly LostGroup[] =>
  protocols.flatMap((protocol) => {
    const own = replies.filter((reply) => reply.protocol === protocol);
    const lost = own.filter(({ outcome }) => outcome === 'lost');
    const kept = own.filter(({ outcome }) => outcome !== 'lost');
    const told = separationOf(view, { broken: refsOf(lost), kept: refsOf(kept) });
    if (told?.having !== lost.length) return [];
    if (![...told.traits, ...told.alike].every(({ kind }) => taken.has(kind))) return [];
    const things = new Set(repliesOf(view, refsOf(own)).flatMap(({ keys }) => [...keys])).size;
    const { seen } = chancesOf(own, 'lost');
    const chanceOfThese = chanceOfDifference({ seen, of: seen }, { seen: 0, of: kept.length });
    const chance = Math.min(1, chanceOfThese * things ** told.traits.length);
    return [{ protocol, replies: own, chanceOfThese, chance }];
  });
