import type { NoncePlacement } from '../../checks/recall.ts';
import type { NonceQuestion } from '../../checks/shared/nonces.ts';
import { asking } from '../builder/bodies.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { lastOf, type NonEmpty } from '../builder/non-empty.ts';
import { contextControlId, contextStreamId } from '../builder/request-ids.ts';
import type { StreamAndParts } from '../streams/accepted-stream.ts';
import {
  type AttemptOptions,
  ask,
  codeName,
  inline,
  type NonceBody,
  type QuestionToAsk,
} from './nonce-questions.ts';

/** A place in a stream, and the stream itself. */
export interface StreamedPlace {
  readonly place: NoncePlacement;
  readonly stream: StreamAndParts;
}

const streamedBody =
  (body: NonceBody): NonceBody =>
  (nonce, wording) => ({ ...body(nonce, wording), stream: true });

/** Attempts at a question in a stream, and what they are compared with. */
interface StreamedAttempts extends Pick<QuestionToAsk, 'protocol' | 'id'> {
  /** Where the nonce stands, behind "what stands". */
  readonly where: string;
  readonly probes: NonEmpty<NonceQuestion>;
  /** Attempts that ask for the same without a stream. */
  readonly unstreamed: NonEmpty<NonceQuestion>;
  /** Requests each of which has by itself something that only the stream has. */
  readonly parts?: readonly string[];
}

/**
 * A place in a stream: a gateway may lose on the way to one what it gives the model otherwise. The control is a
 * stream, too, and sent only where no attempt recalls; a stream that is refused is judged by
 * `acceptedStreamCase`, and not here.
 */
export function streamedPlace(builder: CaseBuilder, attempted: StreamedAttempts): StreamedPlace {
  const { protocol, id, where, probes, unstreamed, parts = [] } = attempted;
  const { exchange, nonce } = lastOf(probes);
  const controls = ask(
    builder,
    {
      protocol,
      id: contextControlId(id),
      body: streamedBody((known, wording) => asking(protocol, inline(known, wording))),
    },
    {
      secondFamilyFirst: true,
      wordings: [codeName],
      when: [{ kind: 'not-recalled', exchange, nonce, control: exchange }],
    },
  );
  const unstreamedParts = [unstreamed[0].exchange, ...parts];
  return {
    place: { where: `${where} (in a stream)`, probes, controls, mayBeRefused: true, unstreamedParts },
    stream: { probe: probes[0].exchange, parts: unstreamedParts },
  };
}

/** A question that is asked with and without a stream. */
export interface PlacedQuestion extends QuestionToAsk {
  /** Where the nonce stands, behind "what stands". */
  readonly where: string;
  /** What differs in the stream; where left out, the stream asks the same. */
  readonly streamDifference?: {
    readonly body: NonceBody;
    /** Behind `where`. */
    readonly addition: string;
    /** Requests each of which has by itself something that only the stream has. */
    readonly parts: readonly string[];
  };
}

/** The attempts without a stream, and the place in a stream. */
export interface BothWays {
  readonly where: string;
  readonly probes: NonEmpty<NonceQuestion>;
  readonly streamed: StreamedPlace;
}

export function askWithAndWithoutStream(
  builder: CaseBuilder,
  question: PlacedQuestion,
  options: AttemptOptions,
): BothWays {
  const { protocol, where, body } = question;
  const differing = question.streamDifference ?? { body, addition: '', parts: [] };
  const probes = ask(builder, question, options);
  const id = contextStreamId(question.id);
  const streamedProbes = ask(
    builder,
    { protocol, id, body: streamedBody(differing.body) },
    { ...options, secondFamilyFirst: true },
  );
  const streamed = streamedPlace(builder, {
    protocol,
    id,
    where: `${where}${differing.addition}`,
    probes: streamedProbes,
    unstreamed: probes,
    parts: differing.parts,
  });
  return { where, probes, streamed };
}
