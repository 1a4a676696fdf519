import { decisions } from '../../spec/decisions.ts';
import type { EvidenceView } from '../checks/evidence-view.ts';
import { chanceOf, levelOf } from '../facts/exact-test.ts';
import { lostGroups } from '../facts/lost-replies.ts';
import { testsIn } from '../facts/tests-in.ts';
import {
  type ReplyGroup,
  type ValidReply,
  chancesOf,
  replyGroups,
  validReplies,
} from '../facts/valid-replies.ts';
import type { PlannedRequest } from '../types/plan.ts';
import { furtherTextRequests } from './further-texts.ts';

/** The chance of what lacks most in a group of replies; of what is ruled out to be chance nothing more is asked. */
function chanceIn({ replies }: ReplyGroup, level: number): number {
  const chances = (['missing', 'silent'] as const).map((outcome) =>
    chanceOf(chancesOf(replies, outcome), decisions.lawfulOutages),
  );
  return Math.min(1, ...chances.filter((chance) => chance > level));
}

/**
 * The requests of a second sample, those that take least first: where answers are missing in some of the valid
 * requests, and too few were asked to tell whether that is chance (principle 9). They are those of the replies that
 * chance explains least; none where nothing is open, and none in `smoke`, which bills no more than it says.
 * @param round how many such samples were asked before
 */
function secondSample(view: EvidenceView, round: number): readonly PlannedRequest[] {
  const sample = decisions.secondSamples[round];
  if (sample === undefined || view.plan.profile === 'smoke') return [];
  const level = levelOf(testsIn(view.plan));
  const replies = validReplies(view);
  const lost = lostGroups(view, replies).filter(({ chance }) => chance > level);
  const [open] = [
    ...replyGroups(replies).map((group) => ({ group, chance: chanceIn(group, level) })),
    ...lost.map((group) => ({ group, chance: group.chanceOfThese })),
  ]
    .filter(({ chance }) => chance <= sample.suspicious)
    .sort((one, other) => one.chance - other.chance);
  const requests = kindsOf(view, open?.group.replies ?? []);
  return Array.from({ length: sample.requests }, (_, at) => requests[at % requests.length]).flatMap(
    (request) => request ?? [],
  );
}

/** Asks second samples, each where the one before leaves it open. */
export async function askSecondSamples(
  view: EvidenceView,
  repeat: (request: PlannedRequest) => Promise<unknown>,
): Promise<void> {
  for (let round = 0, sample = secondSample(view, round); sample.length > 0; ) {
    if (decisions.secondSamples[round]?.isOneByOne) for (const request of sample) await repeat(request);
    else await Promise.all(sample.map(repeat));
    round += 1;
    sample = secondSample(view, round);
  }
  for (const round of decisions.textSamples.keys())
    await Promise.all(furtherTextRequests(view, round).map(repeat));
}

/** So many different requests are enough. */
const mostKinds = 12;

/** The requests of replies that take least; of those that were lost, which cost nothing, as many as of the others. */
function kindsOf(view: EvidenceView, replies: readonly ValidReply[]): readonly PlannedRequest[] {
  const of = (isLost: boolean): readonly PlannedRequest[] => {
    const ids = new Set(replies.flatMap(({ id, outcome }) => ((outcome === 'lost') === isLost ? [id] : [])));
    return view.plan.requests
      .filter(({ id, billed }) => ids.has(id) && billed <= 1)
      .sort((one, other) => bodyLength(one) - bodyLength(other))
      .slice(0, mostKinds);
  };
  const [lost, others] = [of(true), of(false)];
  return lost.length === 0
    ? others
    : others.flatMap((request, at) => [lost[at % lost.length] ?? request, request]);
}

const bodyLength = ({ body }: PlannedRequest): number => JSON.stringify(body).length;
