import { decisions } from '../../spec/decisions.ts';
import type { EvidenceView } from '../checks/evidence-view.ts';
import { chanceOf, levelOf } from '../facts/exact-test.ts';
import { testsIn } from '../facts/tests-in.ts';
import { type ReplyGroup, chancesOf, replyGroups, validReplies } from '../facts/valid-replies.ts';
import type { PlannedRequest } from '../types/plan.ts';

/** Whether chance hardly explains how many answers are missing or empty, and is not ruled out. */
function isOpen({ replies }: ReplyGroup, level: number): boolean {
  return (['missing', 'silent'] as const).some((outcome) => {
    const chance = chanceOf(chancesOf(replies, outcome), decisions.lawfulOutages);
    return chance <= decisions.suspicious && chance > level;
  });
}

/**
 * The requests of a second sample, those that take least first: where answers are missing in some of the valid
 * requests, and too few were asked to tell whether that is chance (principle 9). None where nothing is open.
 */
export function secondSample(view: EvidenceView): readonly PlannedRequest[] {
  const level = levelOf(testsIn(view.plan));
  const open = replyGroups(validReplies(view)).filter((group) => isOpen(group, level));
  const ids = new Set(open.flatMap(({ replies }) => replies.map(({ id }) => id)));
  const requests = view.plan.requests
    .filter(({ id, billed }) => ids.has(id) && billed <= 1)
    .sort((one, other) => bodyLength(one) - bodyLength(other))
    .slice(0, mostKinds);
  return requests.length === 0
    ? []
    : Array.from({ length: decisions.secondSample }, (_, at) => requests[at % requests.length]).flatMap(
        (request) => request ?? [],
      );
}

/** So many different requests are enough. */
const mostKinds = 12;

const bodyLength = ({ body }: PlannedRequest): number => JSON.stringify(body).length;
