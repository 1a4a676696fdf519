import type { TextProtocol } from '../../spec/vocabulary.ts';
import type { NoncePlacement } from '../checks/recall.ts';
import type { NonceQuestion } from '../checks/shared/nonces.ts';
import { asking } from './builder/bodies.ts';
import type { CaseBuilder } from './builder/case-builder.ts';
import { ask, type Body, codeName, inline, type Manner } from './asking.ts';

const streamed =
  (body: Body): Body =>
  (...told) => ({ ...body(...told), stream: true });

/**
 * The same place, asked in a stream: a gateway may lose on the way to one what it gives the model otherwise.
 * The control is a stream, too, and sent only where no attempt recalls; a stream that is refused is judged by
 * `takenInStream`, and not here.
 * @param unstreamed what asks for the same without a stream
 * @param alone requests that give by itself what is given in the stream alone
 */
export function inStream(
  builder: CaseBuilder,
  protocol: TextProtocol,
  where: string,
  probes: readonly NonceQuestion[],
  unstreamed: readonly NonceQuestion[],
  alone: readonly string[] = [],
): NoncePlacement {
  const last = probes.at(-1);
  const { exchange = '', nonce = '' } = last ?? {};
  const [control] = ask(
    builder,
    protocol,
    exchange.replace(/[.]\d$/, '.control'),
    streamed((known, wording) => asking(protocol, inline(known, wording))),
    {
      turned: true,
      wordings: [codeName],
      when: [{ kind: 'not-recalled', exchange, nonce, control: exchange }],
    },
  );
  return {
    where: `${where} (in a stream)`,
    probes,
    controls: control ? [control] : [],
    mayBeRefused: true,
    unstreamedParts: [...unstreamed.slice(0, 1).map((asked) => asked.exchange), ...alone],
  };
}

/** What stands beside it in the stream. */
interface InStream {
  readonly body: Body;
  /** Behind "where". */
  readonly beside: string;
  /** What is given there alone is given in these requests, too. */
  readonly alone?: readonly string[];
}

/** Asks for what stands somewhere in a body, and asks the same in a stream, beside something else where that is given. */
export const askBothWays = (
  builder: CaseBuilder,
  protocol: TextProtocol,
  where: string,
  id: string,
  body: Body,
  manner: Manner,
  other: InStream = { body, beside: '' },
): readonly [NoncePlacement, NoncePlacement] => {
  const probes = ask(builder, protocol, id, body, manner);
  const inOne = ask(builder, protocol, `${id}.stream`, streamed(other.body), { ...manner, turned: true });
  const place = inStream(builder, protocol, `${where}${other.beside}`, inOne, probes, other.alone);
  return [{ where, probes }, place];
};

/** A stream, and the requests that ask for each part of the same without one. */
export interface Twin {
  readonly probe: string;
  readonly parts: readonly string[];
}

/** The stream itself is taken, whatever it tells: what is refused in one only is refused for `stream` (4.1 to 4.3). */
export function takenInStream(
  builder: CaseBuilder,
  protocol: TextProtocol,
  slug: string,
  twin: () => Twin,
): void {
  const requirement = `${protocol}.param.stream.accepted`;
  builder.add(
    {
      id: `streams.${protocol}.accepted.${slug}`,
      title: `${protocol} takes stream = true with what it is given as ${slug}`,
      suite: 'streams',
      requirements: [requirement],
    },
    protocol,
    () => ({
      kind: 'accepted',
      requirement,
      controls: builder.streams(protocol),
      after: builder.after(protocol),
      ...twin(),
    }),
  );
}
