import type { TextProtocol } from '../../../spec/vocabulary.ts';
import { cellId, comparedId, longStreamId } from '../../types/request-ids.ts';
import { repeatText, asking } from '../builder/bodies.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { markedText } from '../builder/own-text.ts';

/** `stream` as the requests for one text give it; null where they leave it out. */
const streams = [false, true, null] as const;

/**
 * The long text asked of each caller, with each value of `stream`: a model sees no difference. They are sent where replies
 * are compared (a second sample), and never for themselves.
 */
function comparedRequests(builder: CaseBuilder, protocol: TextProtocol): readonly string[] {
  // The number amid it is another one each time, so that no cache answers for the model.
  const text = markedText(builder);
  return builder.callers(protocol).flatMap((caller) => {
    const served = cellId(caller, protocol);
    return streams.map((stream) => {
      const { stream: _, ...body } = asking(protocol, repeatText(text));
      return builder.send(comparedId(caller, protocol, stream), protocol, {
        json: {
          ...body,
          ...(stream === null ? {} : { stream }),
          ...(protocol === 'messages' ? { max_tokens: 512 } : {}),
        },
        callers: [caller],
        billed: 0,
        says: [text],
        isCompared: true,
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
  builder.add(
    {
      suite: 'results',
      id: `results.${protocol}.intact`,
      title: `${protocol} returns what the model says, all of it and in its letters`,
      requirements: [`${protocol}.output.intact`, `${protocol}.stream.complete`],
    },
    protocol,
    () => ({
      kind: 'intact',
      protocol,
      probes: [builder.long(protocol), longStreamId(protocol, 1)],
      compared: comparedRequests(builder, protocol),
    }),
  );
}
