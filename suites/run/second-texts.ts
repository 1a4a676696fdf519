import { randomOf, shuffled } from '../../fixtures/dice.ts';
import { decisions } from '../../spec/decisions.ts';
import { isObject } from '../../spec/json.ts';
import { isTextProtocol } from '../../spec/vocabulary.ts';
import { type EvidenceView, isAnswered } from '../checks/evidence-view.ts';
import { isRefused } from '../checks/shared/refusals.ts';
import { saidTexts } from '../facts/said-texts.ts';
import { type Asked, textLevelOf } from '../facts/text-faults.ts';
import { type FurtherText, furtherTexts } from '../facts/text-samples.ts';
import { valueAt } from '../reading/json.ts';
import { transientOf } from '../reading/transient.ts';
import type { PlannedRequest } from '../types/plan.ts';
import { cellId, comparedId } from '../types/request-ids.ts';
import { type SentAs, situationOf, sourceOf } from '../types/text-situations.ts';

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
export async function askWithNeighbours(
  view: EvidenceView,
  further: readonly FurtherRequest[],
  repeat: (request: PlannedRequest) => Promise<unknown>,
): Promise<void> {
  await Promise.all(further.filter(isAtOnce).map(({ request }) => repeat(request)));
  for (const { request, as } of further.filter((each) => !isAtOnce(each))) {
    const before = requestBefore(view, request, as);
    if (before) await repeat(before);
    await repeat(request);
  }
}

/** Asks second samples of texts until nothing is open. */
export async function askForTexts(
  view: EvidenceView,
  repeat: (request: PlannedRequest) => Promise<unknown>,
): Promise<void> {
  for (const round of decisions.textSamples.keys())
    await askWithNeighbours(view, furtherTextRequests(view, round), repeat);
}
