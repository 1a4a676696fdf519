import type { TextProtocol } from '../../../spec/vocabulary.ts';
import type { Asked, Place } from '../../model/case.ts';
import { asking, type Body, plain, turn } from '../builder/bodies.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import type { NonEmpty } from '../builder/non-empty.ts';
import { attemptId, contextId, parameterValueId, plainId, roleId } from '../builder/request-ids.ts';
import type { StreamAndParts } from '../streams/accepted-stream.ts';
import { askAlongChain, askAlongChainInStream, askForReply, chainStreamId, follow } from './chains.ts';
import { systemWordings } from './nonce-questions.ts';
import { askWithAndWithoutStream, inStream } from './recall-in-streams.ts';
import { assistantTurn, greetings, inputArray, userTurns, userTurnsOnly } from './resent-turns.ts';

/** Where the nonces of a source stand, and the stream among them. */
export interface Placements {
  readonly places: readonly Place[];
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
  place(builder: CaseBuilder, controls: NonEmpty<Asked>, before: readonly Asked[]): Placements;
}

/** A body from what is to be known and the question. */
type SourceBody = (statement: string, question: string) => Body;

/** A source outside the turns, asked with the wordings of a system prompt. */
interface PromptSource extends Pick<ContextSource, 'protocol' | 'slug' | 'description'> {
  /** Where the nonce stands, behind "what stands". */
  readonly where: string;
  readonly body: SourceBody;
  /** What only the stream has. */
  readonly inStream?: {
    readonly fields: SourceBody;
    /** Behind `where`. */
    readonly addition: string;
    /** Requests each of which has by itself something that only the stream has. */
    readonly parts: readonly string[];
  };
}

function promptSource({ where, body, inStream: more, ...source }: PromptSource): ContextSource {
  const { protocol, slug } = source;
  const question = {
    protocol,
    where,
    id: contextId(protocol, slug),
    body: (nonce, wording) => body(wording.statement(nonce), wording.question),
    ...(more
      ? {
          inStream: {
            body: (nonce, wording) => ({
              ...body(wording.statement(nonce), wording.question),
              ...more.fields(wording.statement(nonce), wording.question),
            }),
            addition: more.addition,
            parts: more.parts,
          },
        }
      : {}),
  } satisfies Parameters<typeof askWithAndWithoutStream>[1];
  return {
    ...source,
    streamed: true,
    place(builder, controls) {
      const asked = askWithAndWithoutStream(builder, question, { wordings: systemWordings, controls });
      return {
        places: [{ where, probes: asked.probes }, asked.inStream.place],
        stream: asked.inStream.stream,
      };
    },
  };
}

const responsesSources: readonly ContextSource[] = [
  promptSource({
    protocol: 'responses',
    slug: 'instructions',
    description: 'passes the instructions to the model',
    where: 'in the instructions',
    body: (statement, question) => ({ ...asking('responses', question), instructions: statement }),
    inStream: {
      fields: () => follow(plainId('responses')),
      addition: ' behind an earlier response',
      parts: [parameterValueId('responses', 'previous-response-id', 'earlier')],
    },
  }),
  {
    protocol: 'responses',
    slug: 'input',
    description: 'passes every element of an input array to the model',
    streamed: false,
    place: (builder, controls) => ({ places: [inputArray(builder, controls)], stream: null }),
  },
];

const messagesSources: readonly ContextSource[] = [
  promptSource({
    protocol: 'messages',
    slug: 'system',
    description: 'passes the system prompt to the model',
    where: 'in the system prompt',
    body: (statement, question) => ({ ...asking('messages', question), system: statement }),
  }),
  {
    protocol: 'messages',
    slug: 'history',
    description: 'passes the turns that are sent again to the model',
    streamed: true,
    place(builder, controls) {
      const { where, probes, inStream: streamed } = userTurns(builder, 'messages', controls);
      return {
        places: [
          // Only the role `user` is shown, so that one of the assistant may be refused.
          { where, probes, instead: userTurnsOnly(builder, probes, controls) },
          { ...assistantTurn(builder, 'messages', controls), free: true },
          streamed.place,
        ],
        stream: streamed.stream,
      };
    },
  },
];

const chatSources: readonly ContextSource[] = [
  promptSource({
    protocol: 'chat',
    slug: 'system',
    description: 'passes a message of role system to the model',
    where: 'in a turn of role system',
    body: (statement, question) => ({
      ...plain.chat,
      messages: [turn('system', statement), turn('user', question)],
    }),
    inStream: {
      fields: (statement, question) => ({
        messages: [turn('system', statement), ...greetings, turn('user', question)],
        top_p: 1,
      }),
      addition: ' before a history',
      parts: [parameterValueId('chat', 'top-p', '1'), roleId('assistant')],
    },
  }),
  {
    protocol: 'chat',
    slug: 'history',
    description: 'passes the turns that are sent again to the model',
    streamed: true,
    place(builder, controls) {
      const { where, probes, inStream: streamed } = userTurns(builder, 'chat', controls);
      const places = [{ where, probes }, streamed.place, assistantTurn(builder, 'chat', controls)];
      return { places, stream: streamed.stream };
    },
  },
];

/** The attempt whose reply has a nonce that stands in the instructions alone. */
const firstInstructionsId = attemptId(contextId('responses', 'instructions'), 1);

const chainSource: ContextSource = {
  protocol: 'responses',
  slug: 'chain',
  description: 'carries the turns of an earlier response',
  streamed: true,
  place(builder, controls, before) {
    const unstreamed = askAlongChain(builder, controls);
    const streamed = inStream(builder, {
      protocol: 'responses',
      id: chainStreamId,
      where: 'earlier in the chain with instructions',
      probes: askAlongChainInStream(builder, controls, unstreamed),
      unstreamed,
      parts: [parameterValueId('responses', 'instructions', 'sample')],
    });
    const said = before.find(({ exchange }) => exchange === firstInstructionsId);
    return {
      places: [
        { where: 'three responses earlier in the chain', probes: unstreamed },
        streamed.place,
        ...(said ? [askForReply(builder, said, controls)] : []),
      ],
      stream: streamed.stream,
    };
  },
};

/** Every source of context (4.1 to 4.3). The chain stands last: it asks for a reply of another source. */
export const contextSources: readonly ContextSource[] = [
  ...responsesSources,
  ...messagesSources,
  ...chatSources,
  chainSource,
];
