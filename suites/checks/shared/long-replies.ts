import { isTextProtocol, type TextProtocol } from '../../../spec/vocabulary.ts';
import type { Outcome } from '../../types/finding.ts';
import type { LongReplies } from '../../types/long-replies.ts';
import { type EvidenceView, isCutOff, streamOf, textOf } from '../evidence-view.ts';
import { excerpt } from './describe.ts';
import { fail, inconclusive, pass } from './findings.ts';
import { type LostSign, lostSigns } from './signs.ts';
import { isDamaged } from './stream-shape.ts';

/** A stream whose events are not as they must be may lose text with them: that is judged for itself. */
export function isDamagedStream(view: EvidenceView, id: string, protocol: TextProtocol): boolean {
  const reading = streamOf(view.state(id));
  return reading !== undefined && isDamaged(reading, protocol);
}

const textsOf = (view: EvidenceView, ids: readonly string[], protocol: TextProtocol): readonly string[] =>
  ids
    .filter((id) => !isCutOff(view.state(id)) && !isDamagedStream(view, id, protocol))
    .map((id) => textOf(view.state(id), protocol));

interface LostByKind {
  readonly inResults: readonly LostSign[];
  readonly inStreams: readonly LostSign[];
}

function lostByKind(
  view: EvidenceView,
  { unstreamed, streamed, signs }: LongReplies,
  protocol: TextProtocol,
): LostByKind {
  const [results, streams] = [textsOf(view, unstreamed, protocol), textsOf(view, streamed, protocol)];
  return { inResults: lostSigns(signs, results, streams), inStreams: lostSigns(signs, streams, results) };
}

/** Whether further long replies may show that a sign is damaged. */
export function areSignsOpen(view: EvidenceView, replies: LongReplies): boolean {
  const protocol = view.request(replies.unstreamed[0] ?? '')?.protocol;
  if (protocol === undefined || !isTextProtocol(protocol)) return false;
  const { inResults, inStreams } = lostByKind(view, replies, protocol);
  return [...inResults, ...inStreams].some(({ cause }) => cause === 'open');
}

/** How the signs of the long text came in each kind of reply; undefined where there is none with a sign. */
export function signOutcomes(
  view: EvidenceView,
  replies: LongReplies,
  protocol: TextProtocol,
): { readonly inResults: Outcome; readonly inStreams: Outcome } {
  const { inResults, inStreams } = lostByKind(view, replies, protocol);
  return {
    inResults: outcomeOf(inResults),
    // What neither kind has is told of the reply without a stream: the stream carries all that the model says.
    inStreams: outcomeOf(inStreams.filter(({ cause, isSaid }) => cause !== 'model' || isSaid)),
  };
}

function outcomeOf(lost: readonly LostSign[]): Outcome {
  const [first] = lost;
  if (first === undefined) return pass();
  const actual = ({ sign: { before, after }, as }: LostSign): string => excerpt(`${before}${as}${after}`);
  const damaged = lost.find(({ cause }) => cause === 'damaged');
  if (damaged) return fail({ kind: 'sign-damaged', sign: damaged.sign.name }, actual(damaged));
  const signs = lost.map(({ sign }) => sign.name);
  return inconclusive({ kind: 'signs-not-shown', signs }, actual(first), 'model-behaviour');
}
