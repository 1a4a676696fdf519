import { decisions } from '../../spec/decisions.ts';
import { type EvidenceView, isAnswered } from '../checks/evidence-view.ts';
import { levelOf, testsIn } from '../facts/exact-test.ts';
import { lostGroups } from '../facts/lost-replies.ts';
import { lackingGroups } from '../facts/reply-groups.ts';
import { stopsIn } from '../facts/stops.ts';
import { asIfNotLocked, notLocked, type ValidReply, validReplies } from '../facts/valid-replies.ts';
import type { PlannedRequest } from '../types/plan.ts';
import { cellId, comparedId } from '../types/request-ids.ts';
import { neighbours, type SentAs, situationOf, sourceOf } from '../types/text-situations.ts';
import { randomOf, shuffled } from '../../fixtures/dice.ts';
import { isObject } from '../../spec/json.ts';
import { present } from '../../spec/present.ts';
import { isTextProtocol } from '../../spec/vocabulary.ts';
import { isRefused } from '../checks/shared/refusals.ts';
import { saidTexts } from '../facts/said-texts.ts';
import { type Asked, textLevelOf } from '../facts/text-faults.ts';
import { type FurtherText, furtherTexts } from '../facts/text-samples.ts';
import { valueAt } from '../reading/json.ts';
import { transientOf } from '../reading/transient.ts';

type FurtherRequest = Pick<FurtherText<unknown>, 'as'> & { readonly request: PlannedRequest };

/** The requests for a text that differ in nothing that a model sees, of callers that are served. */
function comparable(view: EvidenceView): readonly (Asked & { readonly request: PlannedRequest })[] {
  return view.plan.requests.flatMap((request) => {
    const { protocol, callers, body, says = [], isCompared = false } = request;
    const [caller] = callers;
    if (!isCompared || caller === undefined || protocol === 'images') return [];
    if (!isAnswered(view, cellId(caller, protocol))) return [];
    const stream = valueAt(body?.json, '/stream');
    const json = isObject(body?.json) ? body.json : {};
    const has = situationOf(json, protocol, request.accept);
    const sources = new Set(says.map((text) => sourceOf(text, json, protocol)));
    const flag = typeof stream === 'boolean' ? stream : null;
    return [{ request, protocol, ...caller, stream: flag, has, neighbours: [], sources }];
  });
}

/** The requests of a second sample of texts, in an order in which nothing takes turns (principle 9); none where nothing is open. */
function furtherTextRequests(view: EvidenceView, round: number): readonly FurtherRequest[] {
  if (view.plan.profile === 'smoke') return [];
  const asked = furtherTexts(saidTexts(view), comparable(view), { level: textLevelOf(view.plan), round });
  const further = asked.map(({ asked: { request }, as }) => ({ request, as }));
  const mixed = shuffled(further, randomOf(view.plan.seed + round));
  // What stands before the first of those that go one by one is known only so.
  const first = mixed.find((each) => !isAtOnce(each));
  return mixed.map((each) =>
    each === first && each.as === 'alone' ? { ...each, as: 'after-result' } : each,
  );
}

/** Whether it was refused for good: a status that may pass is one more that no answer comes behind. */
function isRefusedForGood(view: EvidenceView, id: string): boolean {
  const { exchange } = view.state(id);
  return isRefused(view, id) && exchange !== undefined && transientOf(exchange) === null;
}

/** A request of the same caller that was refused though its token is right. */
const refusedOf = (view: EvidenceView, { callers: [caller] }: PlannedRequest): PlannedRequest | undefined =>
  view.plan.requests.find(
    ({ id, expect, credential, callers }) =>
      expect === 'refusal' &&
      credential.form === 'right' &&
      callers.length === 1 &&
      callers[0]?.group === caller?.group &&
      isRefusedForGood(view, id),
  );

/** The same text of the same caller, streamed or not. */
const sameText = (view: EvidenceView, { callers: [caller], protocol }: PlannedRequest, stream: boolean) =>
  caller && isTextProtocol(protocol) ? view.request(comparedId(caller, protocol, stream)) : undefined;

/** What is sent right before a request, of the same caller, so that it has that neighbour. */
function requestBefore(
  view: EvidenceView,
  request: PlannedRequest,
  as: SentAs | undefined,
): PlannedRequest | undefined {
  if (as === 'after-refusal') return refusedOf(view, request);
  if (as === 'after-stream') return sameText(view, request, true);
  return as === 'after-result' ? sameText(view, request, false) : undefined;
}

const isAtOnce = ({ as }: FurtherRequest): boolean => as === undefined || as === 'beside';

/** Sends requests again: at once, but what is sent behind another request or alone, which goes one by one. */
async function askWithNeighbours(
  view: EvidenceView,
  further: readonly FurtherRequest[],
  repeat: (request: PlannedRequest) => Promise<unknown>,
): Promise<void> {
  const random = randomOf(view.plan.seed);
  await Promise.all(further.filter(isAtOnce).map(({ request }) => repeat(request)));
  for (const { request, as } of further.filter((each) => !isAtOnce(each))) {
    const before = requestBefore(view, request, as);
    // Nodes that take turns would give each request behind one other to the same of them.
    if (before && random() >= 0.5) await repeat(before);
    if (before) await repeat(before);
    await repeat(request);
  }
}

/** Asks second samples of texts until nothing is open. */
async function askForTexts(
  view: EvidenceView,
  repeat: (request: PlannedRequest) => Promise<unknown>,
): Promise<void> {
  for (const round of decisions.textSamples.keys())
    await askWithNeighbours(view, furtherTextRequests(view, round), repeat);
}

/**
 * The groups of replies that lack something, and the chance of that; of what is ruled out to be chance nothing more is asked.
 * Nothing wrong is sent among the further requests: what is refused there, too, was no lock-out (principle 4).
 */
function lackingIn(replies: readonly ValidReply[], level: number) {
  return (['missing', 'silent'] as const).flatMap((outcome) =>
    lackingGroups(notLocked(replies), outcome).some(({ chance }) => chance <= level)
      ? []
      : lackingGroups(asIfNotLocked(replies), outcome),
  );
}

/** The requests of a second sample, of the replies that chance explains least (principle 9). In `smoke` none: it bills what it says. */
function secondSample(view: EvidenceView, round: number) {
  const sample = decisions.secondSamples[round];
  if (sample === undefined || view.plan.profile === 'smoke') return undefined;
  const level = levelOf(testsIn(view.plan));
  const all = validReplies(view);
  if (all.every(({ outcome }) => outcome === 'answered')) return undefined;
  // Of an endpoint that stopped a sample shows nothing more.
  const stopped = new Set(stopsIn(view).map(({ protocol }) => protocol));
  const replies = all.filter(({ protocol }) => !stopped.has(protocol));
  const lost = lostGroups(view, notLocked(replies)).filter(({ chance }) => chance > level);
  const [open] = [
    ...lackingIn(replies, level),
    ...lost.map((group) => ({ group, chance: group.chanceOfThese })),
  ]
    .filter(({ chance }) => chance <= sample.suspicious)
    .sort((one, other) => one.chance - other.chance);
  const kinds = kindsOf(view, open?.group.replies ?? []);
  if (kinds.length === 0) return undefined;
  const requests = Array.from({ length: sample.requests }, (_, at) => kinds[at % kinds.length] ?? []).flat();
  const neighbour = neighbours.find((each) => each === open?.group.common);
  // What lacks with a neighbour alone is asked with that.
  if (neighbour !== undefined || !sample.isOneByOne) return { requests, as: neighbour };
  return { requests: behindStreams(view, requests, round), as: 'alone' as const };
}

/** The share of requests that go behind a stream. */
const behindStream = 0.25;

/** The same number of requests, some right behind a stream of their caller: among requests at once nobody knows what stood before. */
function behindStreams(
  view: EvidenceView,
  requests: readonly PlannedRequest[],
  round: number,
): readonly PlannedRequest[] {
  const random = randomOf(view.plan.seed + round);
  const withStreams = requests.flatMap((request) => {
    const stream = random() < behindStream ? sameText(view, request, true) : undefined;
    return stream ? [stream, request] : [request];
  });
  return withStreams.slice(0, requests.length);
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
    const own = replies.filter(({ outcome }) => (outcome === 'lost') === isLost);
    const asked = present(own.map(({ state: { exchange } }) => exchange && view.requestOf(exchange)));
    return [...new Set(asked)]
      .filter(({ billed }) => billed <= 1)
      .sort((one, other) => bodyLength(one) - bodyLength(other))
      .slice(0, mostKinds);
  };
  const [lost, others] = [of(true), of(false)];
  return lost.length === 0
    ? others
    : others.flatMap((request, at) => [lost[at % lost.length] ?? request, request]);
}

const bodyLength = ({ body }: PlannedRequest): number => JSON.stringify(body).length;
