import { type TextProtocol, textProtocols } from '../../../spec/vocabulary.ts';
import type { ScriptedQuestion } from '../../types/checks/replies.ts';
import { repliesNeeded } from '../../checks/shared/completeness.ts';
import type { LongReplies } from '../../types/long-replies.ts';
import { longBody } from '../builder/bodies.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { longId, longStreamId, rowAttemptId, signsId } from '../../types/request-ids.ts';

/** The questions of a protocol whose answer has letters beyond ASCII. */
const scriptedQuestions = (builder: CaseBuilder, protocol: TextProtocol): readonly ScriptedQuestion[] =>
  [...builder.rows(protocol).rows, ...builder.explored(protocol)].flatMap(({ id, stream, questions }) => {
    const model = builder.requests.get(id)?.callers[0]?.family ?? '';
    return questions
      .filter(({ attempts: [first] }) => first.scripted !== undefined)
      .map(({ attempts }) => ({
        stream,
        model,
        attempts: attempts.map((question) => ({ ...question, protocol })),
      }));
  });

/** The request for a long reply, sent again where the text did not come back: a model slips, too. */
function longAttempts(builder: CaseBuilder, protocol: TextProtocol): readonly string[] {
  const { longText } = builder.data;
  const sent = [builder.long(protocol)];
  for (let attempt = 2; attempt <= repliesNeeded; attempt += 1) {
    const before = sent.at(-1) ?? longId(protocol);
    sent.push(
      builder.send(rowAttemptId(longId(protocol), attempt), protocol, {
        json: longBody(protocol, longText),
        billed: 0,
        when: [
          builder.served(protocol),
          { kind: 'not-recalled', exchange: before, nonce: longText, control: before },
        ],
      }),
    );
  }
  return sent;
}

/**
 * Whether each further long reply is a stream (S) or not (R). The order alternates at first and later does not: a model
 * that changes its ways at random, or from reply to reply, seldom does so in this order.
 */
const furtherStreams = [...'SRSRRRRSRSRSSS'].map((kind) => kind === 'S');

/** The long text once more, with a stream and without, as long as it may be the target that loses a sign of it. */
function repliesForSigns(builder: CaseBuilder, protocol: TextProtocol): LongReplies {
  const { longText, signs } = builder.data;
  let unstreamed = longAttempts(builder, protocol);
  let streamed: readonly string[] = [1, 2, 3].map((attempt) => longStreamId(protocol, attempt));
  for (const [at, stream] of furtherStreams.entries()) {
    const id = builder.send(signsId(protocol, stream, at + 1), protocol, {
      json: { ...longBody(protocol, longText), ...(stream ? { stream } : {}) },
      billed: 0,
      when: [builder.served(protocol), { kind: 'signs-open', replies: { unstreamed, streamed, signs } }],
    });
    if (stream) streamed = [...streamed, id];
    else unstreamed = [...unstreamed, id];
  }
  return { unstreamed, streamed, signs };
}

/** What the model says comes back whole, in order, once, in its letters (1). */
export function intactCase(builder: CaseBuilder, protocol: TextProtocol): void {
  builder.add(
    {
      id: `results.${protocol}.intact`,
      title: `${protocol} returns what the model says, all of it and in its letters`,
      requirements: [`${protocol}.output.intact`, `${protocol}.stream.complete`],
    },
    protocol,
    () => ({
      kind: 'intact',
      protocol,
      questions: scriptedQuestions(builder, protocol),
      elsewhere: textProtocols.flatMap((each) => scriptedQuestions(builder, each)),
      long: { asked: builder.data.longText, ...repliesForSigns(builder, protocol) },
    }),
  );
}
