import type { TextProtocol } from '../../../spec/vocabulary.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';

/** A request with a stream, and those that ask for each part of the same without one. */
export interface StreamAndParts {
  readonly probe: string;
  /** Requests that have what it has, each a part of it and without a stream. */
  readonly parts: readonly string[];
}

/** The stream itself is accepted: what is refused with a stream only is refused for `stream` (4.1 to 4.3). */
export function acceptedStreamCase(
  builder: CaseBuilder,
  protocol: TextProtocol,
  slug: string,
  stream: () => StreamAndParts,
): void {
  const requirement = `${protocol}.param.stream.accepted`;
  builder.add(
    {
      id: `streams.${protocol}.accepted.${slug}`,
      title: `${protocol} accepts stream = true in the request of ${slug}`,
      requirements: [requirement],
    },
    protocol,
    () => ({
      kind: 'accepted',
      requirement,
      controls: builder.streams(protocol),
      after: builder.after(protocol),
      ...stream(),
    }),
  );
}
