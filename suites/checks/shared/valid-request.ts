import { isDeepStrictEqual } from 'node:util';
import { bodyOf, callerOf, pathOf } from '../../reading/sent-request.ts';
import { begunMs, type Exchange } from '../../types/exchange.ts';
import type { ValidRequest } from '../../types/checks/check.ts';
import type { Outcome, OutcomeWithReason } from '../../types/finding.ts';
import { type EvidenceView, isAnswered, isTaken, type State } from '../evidence-view.ts';
import { isBareText } from './refusals.ts';
import { describeState, fail, inconclusive, pass, untested } from './findings.ts';
import { isOpen } from '../../facts/dead-endpoints.ts';
import { isTextProtocol } from '../../../spec/vocabulary.ts';
import { afterId, plainId, plainStreamId } from '../../types/request-ids.ts';
import { streamsOf } from './meant-replies.ts';

type Body = ReturnType<typeof bodyOf>;

const isPartOf = (part: Body, whole: Body): boolean =>
  Object.entries(part ?? {}).every(([name, value]) => isDeepStrictEqual(value, whole?.[name]));

/** A refused valid request of that caller for a part of the same, without what the answered control lacks. */
function refusedPartOf(view: EvidenceView, probe: Exchange, control: State): string | undefined {
  const [whole, protocol] = [bodyOf(probe.request), view.requestOf(probe)?.protocol];
  const answered = control.exchange && bodyOf(control.exchange.request);
  if (whole === undefined || answered === undefined) return undefined;
  const isPart = (id: string): boolean => {
    const { kind, exchange } = view.state(id);
    const part = kind === 'refused' && exchange?.id !== probe.id && exchange && bodyOf(exchange.request);
    if (!part || callerOf(exchange.request) !== callerOf(probe.request)) return false;
    const isSmaller = Object.keys(part).length < Object.keys(whole).length;
    return isSmaller && isPartOf(part, whole) && isPartOf(part, answered);
  };
  return view.plan.requests.find(
    (request) => request.protocol === protocol && request.expect === 'answer' && isPart(request.id),
  )?.id;
}

const ownMembers = (exchange: Exchange, control: State): readonly string[] => {
  const answered = (control.exchange && bodyOf(control.exchange.request)) ?? {};
  return Object.keys(bodyOf(exchange.request) ?? {}).filter((name) => !(name in answered));
};

/** What was sent since with the caller of a request and has nothing of what only that has; and the plain request at the end. */
function sentSince(view: EvidenceView, exchange: Exchange, control: string, after?: string) {
  const own = ownMembers(exchange, view.state(control));
  const isControl = ({ request }: Exchange): boolean => {
    const body = bodyOf(request) ?? {};
    return !own.some((name) => name in body);
  };
  const sentMs = begunMs(exchange.attempts.at(-1) ?? exchange.timing);
  const isSince = (other: Exchange): boolean =>
    begunMs(other.timing) > sentMs &&
    callerOf(other.request) === callerOf(exchange.request) &&
    pathOf(other.request) === pathOf(exchange.request) &&
    view.requestOf(other)?.expect === 'answer' &&
    isControl(other);
  return view.exchanges().filter((other) => other.id === after || isSince(other));
}

const areRefused = (view: EvidenceView, controls: readonly Exchange[]): boolean =>
  controls.length > 0 && controls.every(({ id }) => !isAnswered(view, id));

/** Whether the control of a refused request was sent since, and is not answered (principle 4). */
export const isControlRefusedSince = (view: EvidenceView, exchange: Exchange, control: string): boolean =>
  areRefused(
    view,
    sentSince(view, exchange, control).filter(({ repeats }) => repeats === control),
  );

/** The same of what has nothing but what the request has, too, which differs from it in nothing else; else of all that was sent. */
function isRefusedSince(view: EvidenceView, exchange: Exchange, control: string, after: string | undefined) {
  const since = sentSince(view, exchange, control, after);
  const whole = bodyOf(exchange.request);
  const nearest = since.filter(
    ({ request, repeats }) => repeats === control || isPartOf(bodyOf(request), whole),
  );
  return areRefused(view, nearest.length > 0 ? nearest : since);
}

/** What the reply to a valid request says of the requirement that it is taken. */
export function validRequestOutcome(
  { probe, controls, after, combinations = [], parts = [] }: ValidRequest,
  view: EvidenceView,
): Outcome {
  const taken = [...combinations, probe].find((id) => isTaken(view, id));
  if (taken !== undefined) return pass(taken);
  const state = view.state(probe);
  const actual = describeState(state);
  if (state.kind === 'unclear') {
    const part = parts.find((id) => !isAnswered(view, id));
    return state.exchange === undefined && part !== undefined
      ? untested({ kind: 'part-unanswered', part })
      : inconclusive('no-conclusive-reply', actual);
  }
  if (isBareText(view, probe)) return inconclusive('unknown-framing', actual);
  const control = controls.find((id) => isAnswered(view, id));
  if (control === undefined) return inconclusive('control-refused', actual);
  const part =
    parts.find((id) => view.state(id).kind === 'refused') ??
    refusedPartOf(view, state.exchange, view.state(control));
  if (part !== undefined) return untested({ kind: 'part-refused', part });
  return isRefusedSince(view, state.exchange, control, after)
    ? inconclusive('control-fails-afterwards', actual)
    : fail({ kind: 'valid-value-refused', control }, actual, { exchange: probe });
}

/** Why nothing of these streams of one protocol can be tested: it refuses all, and answers without one. Undefined where it does not. */
export function noStream(view: EvidenceView, ids: readonly string[]): OutcomeWithReason | undefined {
  const requests = ids.flatMap((id) => view.request(id) ?? []);
  const protocol = requests[0]?.protocol;
  if (protocol === undefined || !isTextProtocol(protocol) || !requests.every(({ stream }) => stream))
    return undefined;
  // In smoke a stream is asked of one caller only: whether all are refused is not known.
  if (view.plan.profile === 'smoke') return undefined;
  const requirement = `${protocol}.param.stream.accepted`;
  const streams = streamsOf(view.plan, protocol);
  // One without a conclusive reply may be a stream that would have come.
  if (streams.some((id) => isTaken(view, id) || isOpen(view, id))) return undefined;
  const plain = { probe: plainStreamId(protocol), controls: [plainId(protocol)], after: afterId(protocol) };
  return validRequestOutcome(plain, view).verdict === 'fail'
    ? untested({ kind: 'no-stream-answered', requirement })
    : undefined;
}
