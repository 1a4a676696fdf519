import type { SituationStreams } from '../types/checks/replies.ts';
import type { TextProtocol } from '../../spec/vocabulary.ts';
import type { Outcome } from '../types/finding.ts';
import type { CheckDefinition } from './check-definition.ts';
import { type EvidenceView, isAnswered } from './evidence-view.ts';
import { callerOf } from '../reading/sent-request.ts';
import { allAtOnce, arrivalOf, enoughStreams, isTelling } from './shared/arrival.ts';
import {
  dependsOnModel,
  describeFirst,
  describeReply,
  describeState,
  fail,
  failureIn,
  inconclusive,
  type JudgedReply,
  lastOf,
  pass,
  unsaid,
  untested,
} from './shared/findings.ts';
import { longRefused } from './result-fields.ts';
import { sentOf, unstreamedOf } from './shared/meant-replies.ts';
import { noStream, validRequestOutcome } from './shared/valid-request.ts';
import {
  arrivalReads,
  type LongStream,
  longStream,
  type NoiseFloor,
  noiseFloor,
} from './shared/long-streams.ts';

/** No stream unless asked for (1, 4.1 to 4.3): in every request of the plan that leaves `stream` out or declines it. */
export const unstreamed: CheckDefinition<'unstreamed'> = {
  explanation:
    'Passes where every request without stream, or with stream false, gets a single result; where all are refused, and a stream is given, it fails, too.',
  reads: ({ probes, streamed = [] }) => [...probes, ...streamed],
  readsFurther: ({ protocol, declined }, plan) => unstreamedOf(plan, protocol, declined),
  smaller: ({ declined }) => ({ keeps: declined ? ['stream'] : [] }),
  judge({ protocol, declined, probes, deciding, streamed = [] }, view) {
    // In the order of the plan: the smallest requests stand first.
    const planned = [...unstreamedOf(view.plan, protocol, declined), ...probes];
    // In profile smoke it has no request of its own: those of suites that are not selected would show it.
    if (planned.length === 0) return untested({ kind: 'not-selected' });
    const asked = sentOf(view, [...new Set(planned)]);
    const answered = asked.map((id) => view.state(id)).filter((state) => state.kind === 'answered');
    const unrequested = { kind: 'unrequested-stream', declined } as const;
    const replies = answered.map((state): JudgedReply => {
      const { exchange, reading } = state;
      const aspect = reading.kind === 'stream' ? fail(unrequested, describeReply(exchange)) : 'kept';
      return { ...lastOf(state, exchange.id), aspect };
    });
    const failure = failureIn(view, replies);
    if (failure) return failure;
    if (answered.length === 0) return onlyStreamed(view, asked, streamed);
    const decided = deciding === undefined || !view.request(deciding) ? undefined : view.state(deciding);
    return decided?.kind === 'unclear' ? inconclusive('no-conclusive-reply', describeState(decided)) : pass();
  },
};

/** No request without a stream is answered: held against one that differs in asking for a stream. */
function onlyStreamed(view: EvidenceView, asked: readonly string[], controls: readonly string[]): Outcome {
  const senderOf = (id: string): string | undefined => {
    const { exchange } = view.state(id);
    return exchange && callerOf(exchange.request);
  };
  const [sender] = controls.filter((id) => isAnswered(view, id)).map(senderOf);
  const probe = asked.find((id) => view.kind(id) === 'refused' && senderOf(id) === sender);
  const outcome = probe === undefined ? undefined : validRequestOutcome({ probe, controls }, view);
  return outcome?.verdict === 'fail' ? outcome : inconclusive('nothing-answered', describeFirst(view, asked));
}

export const incremental: CheckDefinition<'incremental'> = {
  explanation:
    'Looks at when the text arrived: all of it at the end of a slow generation is buffered, too fast or too short to tell is inconclusive; asked for again in the situation of a shorter stream that came at once.',
  reads: ({ probes, controls, situations }) => [
    ...probes,
    ...arrivalReads(controls),
    ...situations.flatMap((situation) => [...situation.probes, ...situation.controls.bounded]),
  ],
  timed: ({ probes, controls, situations }) => [
    ...probes,
    ...controls.short,
    ...controls.bounded,
    ...situations
      .filter(({ isTimed }) => isTimed)
      .flatMap((situation) => [...situation.controls.bounded, ...situation.probes]),
  ],
  judge({ protocol, probes, controls, situations }, view) {
    const streams = streamsIn(view, protocol, probes);
    if (streams.length > 0)
      return heldBackIn(view, protocol, situations) ?? pace(streams, noiseFloor(view, controls, protocol));
    return (
      noStream(view, probes) ??
      longRefused(view, protocol, [...probes.slice(0, 1), controls.unstreamed]) ??
      inconclusive('no-stream-with-text', describeFirst(view, probes))
    );
  },
};

const streamsIn = (view: EvidenceView, protocol: TextProtocol, probes: readonly string[]) =>
  probes.flatMap((id) => longStream(view, id, protocol) ?? []);

/** The first situation whose long streams all come at once; undefined where there is none. */
function heldBackIn(view: EvidenceView, protocol: TextProtocol, situations: readonly SituationStreams[]) {
  for (const { where, probes, controls } of situations) {
    const streams = streamsIn(view, protocol, probes);
    const floor = noiseFloor(view, controls, protocol);
    if (!allAtOnce(streams, floor)) continue;
    const reason = { kind: 'stream-buffered-where', attempts: streams.length, where } as const;
    return fail(reason, describePace(streams, floor), { exchange: probes[0] ?? '' });
  }
  return undefined;
}

function pace(streams: readonly LongStream[], floor: NoiseFloor): Outcome {
  const arrivals = streams.map((stream) => arrivalOf(stream, floor));
  if (arrivals.includes('spread')) return pass();
  const settled = arrivals.filter(isTelling).length;
  const actual = describePace(streams, floor);
  if (allAtOnce(streams, floor)) return fail({ kind: 'stream-buffered', attempts: settled }, actual);
  const short = streams.filter((_, at) => arrivals[at] === 'too short');
  if (short.length > 0)
    return dependsOnModel('stream-too-short', unsaid(short.map(({ exchange }) => exchange.id)), actual);
  if (arrivals.includes('too fast')) return inconclusive('too-fast', actual, 'too-fast');
  if (settled > 0 && streams.length < enoughStreams) return inconclusive('too-few-buffered-streams', actual);
  const isDisturbed = arrivals.includes('stalled');
  return inconclusive(isDisturbed ? 'timing-disturbed' : 'timing-unsteady', actual, 'too-fast');
}

function describePace([first]: readonly LongStream[], { shortMs, noiseMs }: NoiseFloor): string {
  if (first === undefined) return 'no stream';
  const ms = (value: number | null) => `${Math.round(value ?? 0)} ms`;
  const { firstMs, lastMs, count } = first.timing;
  const short = Number.isFinite(shortMs)
    ? `a short reply takes ${ms(shortMs)} ± ${ms(noiseMs)}`
    : 'no short reply to a prompt as long was answered';
  return `text from ${ms(firstMs)} to ${ms(lastMs)} in ${count} events; ${short}`;
}
