import { asking, type Body, plain, turn } from '../builder/bodies.ts';
import { contextId, parameterValueId, plainId, roleId } from '../builder/request-ids.ts';
import { follow } from './chains.ts';
import type { ContextSource } from './context-source.ts';
import { systemWordings } from './nonce-questions.ts';
import { askWithAndWithoutStream, type PlacedQuestion } from './recall-in-streams.ts';
import { greetings } from './resent-turns.ts';

/** A body from what is to be known and the question. */
type SourceBody = (statement: string, question: string) => Body;

/** A source outside the turns, asked with the wordings of a system prompt. */
interface PromptSource extends Pick<ContextSource, 'protocol' | 'slug' | 'description'> {
  /** Where the nonce stands, behind "what stands". */
  readonly where: string;
  readonly body: SourceBody;
  /** What only the stream has. */
  readonly streamDifference?: {
    readonly fields: SourceBody;
    /** Behind `where`. */
    readonly addition: string;
    /** Requests each of which has by itself something that only the stream has. */
    readonly parts: readonly string[];
  };
}

function promptSource({ where, body, streamDifference, ...source }: PromptSource): ContextSource {
  const { protocol, slug } = source;
  const question = {
    protocol,
    where,
    id: contextId(protocol, slug),
    body: (nonce, wording) => body(wording.statement(nonce), wording.question),
    ...(streamDifference
      ? {
          streamDifference: {
            body: (nonce, wording) => ({
              ...body(wording.statement(nonce), wording.question),
              ...streamDifference.fields(wording.statement(nonce), wording.question),
            }),
            addition: streamDifference.addition,
            parts: streamDifference.parts,
          },
        }
      : {}),
  } satisfies PlacedQuestion;
  return {
    ...source,
    streamed: true,
    place(builder, controls) {
      const asked = askWithAndWithoutStream(builder, question, { wordings: systemWordings, controls });
      return {
        placements: [{ where, probes: asked.probes }, asked.streamed.place],
        stream: asked.streamed.stream,
      };
    },
  };
}

/** `instructions` (4.1). */
export const instructions = promptSource({
  protocol: 'responses',
  slug: 'instructions',
  description: 'passes the instructions to the model',
  where: 'in the instructions',
  body: (statement, question) => ({ ...asking('responses', question), instructions: statement }),
  streamDifference: {
    fields: () => follow(plainId('responses')),
    addition: ' behind an earlier response',
    parts: [parameterValueId('responses', 'previous-response-id', 'earlier')],
  },
});

/** `system` (4.2). */
export const messagesSystemPrompt = promptSource({
  protocol: 'messages',
  slug: 'system',
  description: 'passes the system prompt to the model',
  where: 'in the system prompt',
  body: (statement, question) => ({ ...asking('messages', question), system: statement }),
});

/** A message of role `system` (4.3). */
export const chatSystemMessage = promptSource({
  protocol: 'chat',
  slug: 'system',
  description: 'passes a message of role system to the model',
  where: 'in a turn of role system',
  body: (statement, question) => ({
    ...plain.chat,
    messages: [turn('system', statement), turn('user', question)],
  }),
  streamDifference: {
    fields: (statement, question) => ({
      messages: [turn('system', statement), ...greetings, turn('user', question)],
      top_p: 1,
    }),
    addition: ' before a history',
    parts: [parameterValueId('chat', 'top-p', '1'), roleId('assistant')],
  },
});
