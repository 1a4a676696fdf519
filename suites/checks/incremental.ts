import type { Incremental, SituationStreams } from '../types/checks/replies.ts';
import type { TextProtocol } from '../../spec/vocabulary.ts';
import type { Outcome } from '../types/finding.ts';
import type { CheckDefinition } from './check-definition.ts';
import { type EvidenceView, type State, textOf } from './evidence-view.ts';
import { allAtOnce, arrivalOf, enoughStreams, isTelling } from './shared/arrival.ts';
import { shortestComparable, repliesNeeded } from './shared/completeness.ts';
import { describeFirst, describeState } from './shared/describe.ts';
import { withFixedReply } from './shared/fixed-reply.ts';
import { fail, inconclusive, pass } from './shared/findings.ts';
import { longRefused } from './shared/long-prompt.ts';
import { noStream } from './shared/no-stream.ts';
import {
  arrivalReads,
  type LongStream,
  longStream,
  type NoiseFloor,
  noiseFloor,
} from './shared/long-streams.ts';

export const incremental: CheckDefinition<Incremental> = {
  kind: 'incremental',
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
  judge({ protocol, probes, controls: planned, situations }, view) {
    const controls = withFixedReply(view, planned, protocol);
    const streams = streamsIn(view, protocol, { probes, controls });
    const long = [...probes.slice(0, 1), controls.unstreamed];
    const none =
      streams.length > 0
        ? undefined
        : (noStream(view, probes) ??
          longRefused(view, protocol, long) ??
          inconclusive('no-stream-with-text', describeFirst(view, probes)));
    const complete =
      none ??
      completeness(protocol, streams, { asked: controls.asked, unstreamed: view.state(controls.unstreamed) });
    const arrival =
      none ?? heldBackIn(view, protocol, situations) ?? pace(streams, noiseFloor(view, controls, protocol));
    return {
      findings: [
        { requirement: `${protocol}.stream.complete`, ...complete },
        { requirement: `${protocol}.stream.incremental`, ...arrival },
      ],
    };
  },
};

const streamsIn = (
  view: EvidenceView,
  protocol: TextProtocol,
  { probes, controls }: Pick<SituationStreams, 'probes' | 'controls'>,
): readonly LongStream[] => probes.flatMap((id) => longStream(view, id, protocol, controls) ?? []);

/** The first situation whose long streams all come at once; undefined where there is none. */
function heldBackIn(
  view: EvidenceView,
  protocol: TextProtocol,
  situations: readonly SituationStreams[],
): Outcome | undefined {
  for (const { where, probes, controls } of situations) {
    const streams = streamsIn(view, protocol, { probes, controls });
    const floor = noiseFloor(view, controls, protocol);
    if (!allAtOnce(streams, floor)) continue;
    const reason = { kind: 'stream-buffered-where', attempts: streams.length, where } as const;
    return fail(reason, describePace(streams, floor), { exchange: probes[0] ?? '' });
  }
  return undefined;
}

/** The stream carries the reply, all of it and once (1, 4.1 to 4.3). */
function completeness(
  protocol: TextProtocol,
  streams: readonly LongStream[],
  { asked, unstreamed }: { readonly asked: string; readonly unstreamed: State },
): Outcome {
  if (unstreamed.kind !== 'answered') return inconclusive('unstreamed-unanswered', describeState(unstreamed));
  const said = textOf(unstreamed, protocol);
  const characters = said.length;
  if (characters < shortestComparable && said !== asked)
    return inconclusive('reply-too-short', `${characters} characters`, 'model-behaviour');
  const carried = streams.map((stream) => stream.carried);
  if (carried.includes('whole')) return pass();
  const texts = streams.map(({ text }) => text);
  const actual = `${texts.map((text) => text.length).join(', ')} characters`;
  if (carried.includes('other')) return inconclusive('stream-of-other-text', actual, 'model-behaviour');
  const attempts = streams.length;
  if (attempts < repliesNeeded)
    return inconclusive({ kind: 'too-few-streams', streams: attempts, needed: repliesNeeded }, actual);
  const flaw = carried.find((each) => each !== 'whole' && each !== 'other') ?? 'part';
  return fail({ kind: 'stream-incomplete', flaw, attempts, characters }, actual);
}

function pace(streams: readonly LongStream[], floor: NoiseFloor): Outcome {
  const arrivals = streams.map((stream) => arrivalOf(stream, floor));
  if (arrivals.includes('spread')) return pass();
  const settled = arrivals.filter(isTelling).length;
  const actual = describePace(streams, floor);
  if (allAtOnce(streams, floor)) return fail({ kind: 'stream-buffered', attempts: settled }, actual);
  if (arrivals.includes('too short')) return inconclusive('stream-too-short', actual, 'model-behaviour');
  return settled > 0 && !arrivals.includes('too fast') && streams.length < enoughStreams
    ? inconclusive('too-few-buffered-streams', actual)
    : inconclusive('too-fast', actual, 'too-fast');
}

function describePace([first]: readonly LongStream[], { shortMs, noiseMs }: NoiseFloor): string {
  if (first === undefined) return 'no stream';
  const ms = (value: number | null) => `${Math.round(value ?? 0)} ms`;
  const { firstMs, lastMs, count } = first.timing;
  const short = Number.isFinite(shortMs)
    ? `a short reply takes ${ms(shortMs)} ± ${ms(noiseMs)}`
    : 'no short reply was answered';
  return `text from ${ms(firstMs)} to ${ms(lastMs)} in ${count} events; ${short}`;
}
