import { defaultOf } from '../../../spec/openapi.ts';
import { protocolFacts } from '../../../spec/protocols.ts';
import type { TextProtocol } from '../../../spec/vocabulary.ts';
import { cellId, comparedId, longStreamId } from '../../types/request-ids.ts';
import { asking, type Body, contentOf, repeatText, turn } from '../builder/bodies.ts';
import { possibleCallers } from '../builder/callers.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { markedText } from '../builder/shared-requests.ts';
import { greetings, longPreface } from '../combinations/row-settings.ts';
import { type ComparedIn, highLimit, situationsOf, type TextSituation } from '../../types/text-situations.ts';
import type { Caller } from '../../types/plan.ts';

/** `stream` as the requests for one text give it; null where they leave it out. */
const streams = [false, true, null] as const;

/** Such a system prompt takes nothing from what is asked. */
const systemText = 'You repeat texts.';

export const withSystem = (body: Body, text: string, question: string, protocol: TextProtocol): Body =>
  protocol === 'chat'
    ? { ...body, messages: [turn('system', text), turn('user', question)] }
    : { ...body, [protocol === 'responses' ? 'instructions' : 'system']: text };
/** A body that asks a question, with what a situation has besides. */
const inSituation: Readonly<
  Record<TextSituation, (body: Body, question: string, protocol: TextProtocol) => Body>
> = {
  system: (body, question, protocol) => withSystem(body, systemText, question, protocol),
  history: (body, question, protocol) => {
    const turns = [...Array.from({ length: 4 }, () => greetings).flat(), turn('user', question)];
    return { ...body, [protocolFacts[protocol].content]: turns };
  },
  long: (body, question, protocol) => ({ ...body, ...contentOf(protocol, `${longPreface} ${question}`) }),
  accept: (body) => body,
  limit: (body) => ({ ...body, max_tokens: highLimit }),
  temperature: (body, _, protocol) => ({ ...body, temperature: defaultOf(protocol, 'temperature') ?? null }),
};

/** A body that asks a question, as all that are compared do. */
function comparedBody(protocol: TextProtocol, question: string, stream: boolean | null): Body {
  const { stream: _, ...plain } = asking(protocol, question);
  return {
    ...plain,
    ...(stream === null ? {} : { stream }),
    ...(protocol === 'messages' ? { max_tokens: highLimit } : {}),
  };
}

export interface Compared {
  /** The texts that must come. The first has the mark of a number. */
  readonly texts: readonly string[];
  readonly question: string;
  /** Nothing where they have the text alone. */
  readonly within?: ComparedIn;
  readonly change: (body: Body) => Body;
}

function comparedTexts(builder: CaseBuilder, protocol: TextProtocol): readonly Compared[] {
  // The number amid it is another one each time, so that no cache answers for the model.
  const text = markedText(builder);
  const question = repeatText(text);
  return [
    { texts: [text], question, change: (body) => body },
    ...situationsOf[protocol].map((within) => ({
      texts: [text],
      question,
      within,
      change: (body: Body) => inSituation[within](body, question, protocol),
    })),
  ];
}

const isSituation = (within: ComparedIn | undefined): boolean =>
  within !== undefined && within in inSituation;

/** What is compared, of each caller with each value of `stream`, which no model sees: sent in a second sample, never for itself. */
export function comparedRequests(
  builder: CaseBuilder,
  protocol: TextProtocol,
  { callers, compared }: { readonly callers: readonly Caller[]; readonly compared: readonly Compared[] },
): readonly string[] {
  const asked = compared.flatMap((each) =>
    streams
      .filter((stream) => stream !== null || !isSituation(each.within))
      .map((stream) => ({ ...each, stream })),
  );
  return callers.flatMap((caller) => {
    const served = [cellId(caller, protocol)];
    return asked.map(({ texts, question, within, change, stream }) =>
      builder.send(comparedId(caller, protocol, stream, within), protocol, {
        json: change(comparedBody(protocol, question, stream)),
        callers: [caller],
        billed: 0,
        says: texts,
        isCompared: true,
        ...(within === 'accept' ? { accept: '*/*' } : {}),
        // Of a caller that is not served nothing is compared, and for itself it is needed of none.
        when: [
          { kind: 'answered', any: served },
          { kind: 'unanswered', all: served },
        ],
      }),
    );
  });
}

/** What the model says comes back whole, in order, once, in its letters (1). */
export function intactCase(builder: CaseBuilder, protocol: TextProtocol): void {
  builder.add({
    id: `results.${protocol}.intact`,
    title: `${protocol} returns what the model says, all of it and in its letters`,
    requirements: [`${protocol}.output.intact`, `${protocol}.stream.complete`],
    check: () => ({
      kind: 'intact',
      protocol,
      probes: [builder.long(protocol), longStreamId(protocol, 1)],
      compared: comparedRequests(builder, protocol, {
        callers: possibleCallers(builder.scope, protocol),
        compared: comparedTexts(builder, protocol),
      }),
    }),
  });
}
