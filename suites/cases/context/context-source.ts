import type { TextProtocol } from '../../../spec/vocabulary.ts';
import type { NoncePlacement } from '../../checks/recall.ts';
import type { NonceQuestion } from '../../checks/shared/nonces.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import type { NonEmpty } from '../builder/non-empty.ts';
import type { StreamAndParts } from '../streams/accepted-stream.ts';

/** Where the nonces of a source stand, and the stream among them. */
export interface Placements {
  readonly placements: readonly NoncePlacement[];
  /** Null where it is not asked in a stream. */
  readonly stream: StreamAndParts | null;
}

/** What context reaches a model by. */
export interface ContextSource {
  readonly protocol: TextProtocol;
  readonly slug: string;
  /** Behind the protocol. */
  readonly description: string;
  /** It is asked in a stream as well. */
  readonly streamed: boolean;
  /** `before`: what is asked of the sources before it. */
  place(
    builder: CaseBuilder,
    controls: NonEmpty<NonceQuestion>,
    before: readonly NonceQuestion[],
  ): Placements;
}
