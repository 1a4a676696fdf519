import type { Protocol } from '../../spec/vocabulary.ts';
import { groupBy } from '../../spec/group-by.ts';
import { decisions } from '../../spec/decisions.ts';
import { chanceOf, chanceOfDifference } from './exact-test.ts';
import { chancesOf, isNever, tallyOf, type ValidReply } from './valid-replies.ts';
import { type Neighbour, neighbours } from '../types/text-situations.ts';

export interface ReplyGroup {
  readonly protocol?: Protocol;
  readonly stream?: boolean;
  /** What they have in common besides: what stood beside them or before, one token and model, an earlier response. */
  readonly common?: Neighbour | 'caller' | 'chain';
  readonly replies: readonly ValidReply[];
}

/** Replies by what they have in common; of each list the endpoint of its first. */
const groupedBy = (replies: readonly ValidReply[], keyOf: (reply: ValidReply) => string) =>
  [...groupBy(replies, (reply) => `${reply.protocol} ${keyOf(reply)}`).values()].flatMap((own) =>
    own.slice(0, 1).map(({ protocol }) => ({ protocol, replies: own })),
  );

/** As if nobody else had asked: a passing outage may be that of one model, or of one node. */
const byThemselves = (replies: readonly ValidReply[]): readonly ValidReply[] =>
  replies.map((reply) => ({
    ...reply,
    answeredBefore: replies.filter(({ answeredFrom }) => Number(answeredFrom) < reply.from).length,
  }));

/** All replies that came in the end, and those with something in common; where answers are missing, those of one caller, too. */
function replyGroups(all: readonly ValidReply[], outcome: 'missing' | 'silent'): readonly ReplyGroup[] {
  const replies = all.filter((reply) => !isNever(reply) && (outcome === 'missing' || reply.isTextDue));
  const chained = replies.filter(({ isChained }) => isChained);
  const ofStreams = groupedBy(replies, ({ stream }) => String(stream)).flatMap(
    (own): readonly ReplyGroup[] => {
      const kind = { protocol: own.protocol, stream: own.replies[0]?.stream === true };
      const withNeighbours = neighbours
        .map((common) => ({
          ...kind,
          common,
          replies: own.replies.filter((reply) => reply.neighbours.includes(common)),
        }))
        .filter(({ replies: some }) => some.length > 0 && some.length < own.replies.length);
      return [{ ...kind, replies: own.replies }, ...withNeighbours];
    },
  );
  const ofOne = [
    ...groupedBy(replies, ({ caller }) => caller).map((own) => ({ ...own, common: 'caller' as const })),
    ...groupedBy(chained, () => '').map((own) => ({ ...own, common: 'chain' as const })),
  ];
  const missing = outcome === 'missing' ? ofOne : [];
  return [
    { replies },
    ...ofStreams,
    ...missing.map((group) => ({ ...group, replies: byThemselves(group.replies) })),
  ];
}

/** What a conformant target lacks by chance in so many replies. */
const lawful = { missing: decisions.lawfulOutages, silent: decisions.lawfulSilence } as const;

/** The groups of replies, of all or of one endpoint, each with the chance that a conformant target lacks so much there. */
export const lackingGroups = (replies: readonly ValidReply[], outcome: 'missing' | 'silent') =>
  replyGroups(replies, outcome).map((group) => ({
    group,
    chance: chanceOf(chancesOf(group.replies, outcome), lawful[outcome]),
  }));

type LackingGroups = ReturnType<typeof lackingGroups>;

/** The group of replies that lacks an answer or its text and that chance explains least. */
export function mostLacking(groups: LackingGroups) {
  const [least] = [...groups].sort((one, other) => one.chance - other.chance);
  if (least === undefined) return undefined;
  const chances = groups.map(({ group, chance }) =>
    group.protocol === undefined ? chance : chance * (groups.length - 1),
  );
  /** That it explains what lacks in all replies, or in whichever group it explains least. */
  return { ...least, chanceOfAny: Math.min(...chances) };
}

/**
 * The group to tell of: of those that chance explains up to a level only, the one that the other replies differ from most; the
 * widest where none differs. Groups overlap, and the one that chance explains least may be but a part of it.
 */
export function groupToTell(groups: LackingGroups, outcome: 'missing' | 'silent', level: number) {
  const [all] = groups;
  const unexplained = groups
    .filter(({ chance }) => chance <= level)
    .map(({ group }) => {
      const own = new Set(group.replies.map(({ id }) => id));
      const others = all?.group.replies.filter(({ id }) => !own.has(id)) ?? [];
      return { group, apart: chanceOfDifference(tallyOf(group.replies, outcome), tallyOf(others, outcome)) };
    })
    .sort((one, other) => one.apart - other.apart);
  const [most] = unexplained;
  const isApart = most !== undefined && most.apart * groups.length <= decisions.toldConditions.single;
  if (isApart) return most.group;
  return unexplained.toSorted((one, other) => other.group.replies.length - one.group.replies.length)[0]
    ?.group;
}
