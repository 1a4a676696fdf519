import { protocolFacts } from '../../../spec/protocols.ts';
import type { TextProtocol } from '../../../spec/vocabulary.ts';
import type { ObservedAspect } from '../../types/checks/replies.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { addObservation } from '../builder/observation.ts';

interface StreamObservation {
  /** Behind `streams.<protocol>.`. */
  readonly id: string;
  readonly title: string;
  /** Behind the protocol. */
  readonly requirement: string;
  readonly subject: string;
  readonly aspect: ObservedAspect;
  readonly probe: () => string;
}

const observations = (builder: CaseBuilder, protocol: TextProtocol): readonly StreamObservation[] => [
  {
    id: 'framing',
    title: `how ${protocol} frames its stream`,
    requirement: 'stream.framing',
    subject: `framing of a ${protocol} stream`,
    aspect: 'framing',
    probe: () => builder.streamed(protocol),
  },
  {
    id: 'events',
    title: `which events ${protocol} sends`,
    requirement: protocolFacts[protocol].stream.otherEvents,
    subject: `events of a ${protocol} stream`,
    aspect: 'event-types',
    probe: () => builder.streamed(protocol),
  },
  {
    id: 'accept',
    title: `what ${protocol} replies to Accept: */* without stream`,
    requirement: 'stream.accept',
    subject: `${protocol} given Accept: */* and no stream`,
    aspect: 'answer-or-refusal',
    probe: () => builder.acceptAny(protocol),
  },
];

/** What of a stream is not shown, and observed (6). */
export function observedStreamCases(builder: CaseBuilder, protocol: TextProtocol): void {
  for (const { id, title, subject, aspect, probe, ...of } of observations(builder, protocol)) {
    addObservation(builder, {
      id: `streams.${protocol}.${id}`,
      title,
      protocol,
      requirement: `${protocol}.${of.requirement}`,
      subject,
      aspect,
      probes: () => [probe()],
    });
  }
}
