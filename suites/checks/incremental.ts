import type { Incremental, SituationStreams } from '../types/checks/replies.ts';
import type { TextProtocol } from '../../spec/vocabulary.ts';
import type { Outcome } from '../types/finding.ts';
import type { CheckDefinition } from './check-definition.ts';
import type { EvidenceView } from './evidence-view.ts';
import { allAtOnce, arrivalOf, enoughStreams, isTelling } from './shared/arrival.ts';
import { describeFirst } from './shared/describe.ts';
import { dependsOnModel, fail, inconclusive, pass, unsaid } from './shared/findings.ts';
import { longRefused } from './shared/token-count.ts';
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

const streamsIn = (
  view: EvidenceView,
  protocol: TextProtocol,
  probes: readonly string[],
): readonly LongStream[] => probes.flatMap((id) => longStream(view, id, protocol) ?? []);

/** The first situation whose long streams all come at once; undefined where there is none. */
function heldBackIn(
  view: EvidenceView,
  protocol: TextProtocol,
  situations: readonly SituationStreams[],
): Outcome | undefined {
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
