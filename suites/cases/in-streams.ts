import type { TextProtocol } from '../../spec/vocabulary.ts';
import type { Asked, Place } from '../model/case.ts';
import { asking, type Kit } from '../plan/kit.ts';
import { ask, type Body, codeName, inline, type Manner } from './asking.ts';

const streamed =
  (body: Body): Body =>
  (...told) => ({ ...body(...told), stream: true });

/**
 * The same place, asked in a stream: a gateway may lose on the way to one what it gives the model otherwise.
 * The control is a stream, too, and sent only where no attempt recalls; a stream that is refused is judged by
 * what the document says of streams, and not here.
 */
export function inStream(kit: Kit, protocol: TextProtocol, where: string, probes: readonly Asked[]): Place {
  const last = probes.at(-1);
  const { exchange = '', nonce = '' } = last ?? {};
  const [control] = ask(
    kit,
    protocol,
    exchange.replace(/[.]\d$/, '.control'),
    streamed((known, wording) => asking(protocol, inline(known, wording))),
    {
      ...kit.turned(protocol),
      wordings: [codeName],
      when: [{ kind: 'not-recalled', exchange, nonce, beside: exchange }],
    },
  );
  return { where: `${where}, in a stream,`, probes, controls: control ? [control] : [], free: true };
}

/** What stands beside it in the stream. */
interface InStream {
  readonly body: Body;
  /** Behind "where". */
  readonly beside: string;
}

/** Asks for what stands somewhere in a body, and asks the same in a stream, beside something else where that is given. */
export const askBothWays = (
  kit: Kit,
  protocol: TextProtocol,
  where: string,
  id: string,
  body: Body,
  manner: Manner,
  other: InStream = { body, beside: '' },
): readonly [Place, Place] => [
  { where, probes: ask(kit, protocol, id, body, manner) },
  inStream(
    kit,
    protocol,
    `${where}${other.beside}`,
    ask(kit, protocol, `${id}.stream`, streamed(other.body), { ...manner, ...kit.turned(protocol) }),
  ),
];
