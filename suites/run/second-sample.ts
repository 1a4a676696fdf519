import { decisions } from '../../spec/decisions.ts';
import { type EvidenceView, isAnswered } from '../checks/evidence-view.ts';
import { levelOf, testsIn } from '../facts/exact-test.ts';
import { lostGroups } from '../facts/lost-replies.ts';
import { lackingGroups } from '../facts/reply-groups.ts';
import { stopsIn } from '../facts/stops.ts';
import { type ValidReply, validReplies } from '../facts/valid-replies.ts';
import type { PlannedRequest } from '../types/plan.ts';
import { cellId } from '../types/request-ids.ts';
import { neighbours, type SentAs } from '../types/text-situations.ts';
import { askForTexts, askWithNeighbours } from './second-texts.ts';

/** The groups of replies that lack something, and the chance of that; of what is ruled out to be chance nothing more is asked. */
function lackingIn(replies: readonly ValidReply[], level: number) {
  return (['missing', 'silent'] as const).flatMap((outcome) => {
    const lacking = lackingGroups(replies, outcome);
    return lacking.some(({ chance }) => chance <= level) ? [] : lacking;
  });
}

interface SecondSample {
  readonly requests: readonly PlannedRequest[];
  /** What lacks with a neighbour alone is asked with that. */
  readonly as: SentAs | undefined;
}

/** The requests of a second sample, of the replies that chance explains least (principle 9). In `smoke` none: it bills what it says. */
function secondSample(view: EvidenceView, round: number): SecondSample | undefined {
  const sample = decisions.secondSamples[round];
  if (sample === undefined || view.plan.profile === 'smoke') return undefined;
  const level = levelOf(testsIn(view.plan));
  const all = validReplies(view);
  if (all.every(({ outcome }) => outcome === 'answered')) return undefined;
  // Of an endpoint that stopped a sample shows nothing more.
  const stopped = new Set(stopsIn(view).map(({ protocol }) => protocol));
  const replies = all.filter(({ protocol }) => !stopped.has(protocol));
  const lost = lostGroups(view, replies).filter(({ chance }) => chance > level);
  const [open] = [
    ...lackingIn(replies, level),
    ...lost.map((group) => ({ group, chance: group.chanceOfThese })),
  ]
    .filter(({ chance }) => chance <= sample.suspicious)
    .sort((one, other) => one.chance - other.chance);
  const requests = kindsOf(view, open?.group.replies ?? []);
  if (requests.length === 0) return undefined;
  const neighbour = neighbours.find((each) => each === open?.group.common);
  return {
    requests: Array.from({ length: sample.requests }, (_, at) => requests[at % requests.length] ?? []).flat(),
    as: neighbour ?? (sample.isOneByOne ? 'alone' : undefined),
  };
}

export async function askSecondSamples(
  view: EvidenceView,
  repeat: (request: PlannedRequest) => Promise<boolean>,
): Promise<void> {
  /** Behind what is not answered its caller is asked, so that one outage is not counted for several (principle 4). */
  const withControl = async (request: PlannedRequest): Promise<void> => {
    const [caller] = request.callers;
    if ((await repeat(request)) || caller === undefined) return;
    const control = view.request(cellId(caller, request.protocol));
    if (control && isAnswered(view, control.id)) await repeat(control);
  };
  let sample = secondSample(view, 0);
  for (let round = 1; sample !== undefined; round += 1) {
    await askWithNeighbours(
      view,
      sample.requests.map((request) => ({ request, as: sample?.as })),
      withControl,
    );
    sample = secondSample(view, round);
  }
  if (view.plan.requests.some(({ isCompared }) => isCompared)) await askForTexts(view, repeat);
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
