import { protocolFacts } from '../../../spec/protocols.ts';
import type { TextProtocol } from '../../../spec/vocabulary.ts';
import { cellId, comparedId, longStreamId } from '../../types/request-ids.ts';
import { asking, type Body, repeatText, turn, user } from '../builder/bodies.ts';
import { possibleCallers } from '../builder/callers.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { markedText } from '../builder/own-text.ts';
import { greetings, longPreface } from '../combinations/row-settings.ts';
import { defaultOf, highLimit, situationsOf, type TextSituation } from '../../types/text-situations.ts';
import type { Template } from '../../types/template.ts';

/** `stream` as the requests for one text give it; null where they leave it out. */
const streams = [false, true, null] as const;

/** Such a system prompt takes nothing from what is asked. */
const systemText = 'You repeat texts.';

/** A body that asks a question, with what a situation has besides. */
const inSituation: Readonly<
  Record<TextSituation, (body: Body, question: string, protocol: TextProtocol) => Body>
> = {
  system: (body, question, protocol) =>
    protocol === 'chat'
      ? { ...body, messages: [turn('system', systemText), turn('user', question)] }
      : { ...body, [protocol === 'responses' ? 'instructions' : 'system']: systemText },
  history: (body, question, protocol) => ({
    ...body,
    [protocolFacts[protocol].content]: [
      ...Array.from({ length: 4 }, () => greetings).flat(),
      turn('user', question),
    ],
  }),
  long: (body, question, protocol) => ({
    ...body,
    [protocolFacts[protocol].content]: textOf(protocol, `${longPreface} ${question}`),
  }),
  accept: (body) => body,
  limit: (body) => ({ ...body, max_tokens: highLimit }),
  temperature: (body, _, protocol) => ({ ...body, temperature: defaultOf(protocol, 'temperature') ?? null }),
};

const textOf = (protocol: TextProtocol, text: string): Template =>
  protocol === 'responses' ? text : user(text);

function comparedBody(
  protocol: TextProtocol,
  text: string,
  stream: boolean | null,
  situation: TextSituation | undefined,
): Body {
  const question = repeatText(text);
  const { stream: _, ...plain } = asking(protocol, question);
  const body = {
    ...plain,
    ...(stream === null ? {} : { stream }),
    ...(protocol === 'messages' ? { max_tokens: highLimit } : {}),
  };
  return situation === undefined ? body : inSituation[situation](body, question, protocol);
}

/**
 * The long text asked of each caller, with each value of `stream`, of which a model sees nothing, and in each situation.
 * They are sent where replies are compared (a second sample), and never for themselves.
 */
function comparedRequests(builder: CaseBuilder, protocol: TextProtocol): readonly string[] {
  // The number amid it is another one each time, so that no cache answers for the model.
  const text = markedText(builder);
  return possibleCallers(builder.scope, protocol).flatMap((caller) => {
    const served = cellId(caller, protocol);
    const asked = [undefined, ...situationsOf[protocol]].flatMap((situation) =>
      streams
        .filter((stream) => stream !== null || situation === undefined)
        .map((stream) => ({ stream, situation })),
    );
    return asked.map(({ stream, situation }) => {
      return builder.send(comparedId(caller, protocol, stream, situation), protocol, {
        json: comparedBody(protocol, text, stream, situation),
        callers: [caller],
        billed: 0,
        says: [text],
        isCompared: true,
        ...(situation === 'accept' ? { accept: '*/*' } : {}),
        // Of a caller that is not served nothing is compared, and for itself it is needed of none.
        when: [
          { kind: 'answered', any: [served] },
          { kind: 'unanswered', all: [served] },
        ],
      });
    });
  });
}

/** What the model says comes back whole, in order, once, in its letters (1). */
export function intactCase(builder: CaseBuilder, protocol: TextProtocol): void {
  builder.add({
    id: `results.${protocol}.intact`,
    title: `${protocol} returns what the model says, all of it and in its letters`,
    requirements: [`${protocol}.output.intact`, `${protocol}.stream.complete`],
    needs: protocol,
    check: () => ({
      kind: 'intact',
      protocol,
      probes: [builder.long(protocol), longStreamId(protocol, 1)],
      compared: comparedRequests(builder, protocol),
    }),
  });
}
