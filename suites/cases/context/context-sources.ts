import { attemptId, contextId, parameterValueId } from '../builder/request-ids.ts';
import { askAlongChain, askAlongChainInStream, askForReply, chainStreamId } from './chains.ts';
import type { ContextSource } from './context-source.ts';
import { chatSystemMessage, instructions, messagesSystemPrompt } from './prompt-sources.ts';
import { streamedPlace } from './recall-in-streams.ts';
import { assistantTurn, inputArray, userTurns, userTurnsOnly } from './resent-turns.ts';

const responsesSources: readonly ContextSource[] = [
  instructions,
  {
    protocol: 'responses',
    slug: 'input',
    description: 'passes every element of an input array to the model',
    streamed: false,
    place: (builder, controls) => ({ placements: [inputArray(builder, controls)], stream: null }),
  },
];

const messagesSources: readonly ContextSource[] = [
  messagesSystemPrompt,
  {
    protocol: 'messages',
    slug: 'history',
    description: 'passes the turns that are sent again to the model',
    streamed: true,
    place(builder, controls) {
      const { where, probes, streamed } = userTurns(builder, 'messages', controls);
      return {
        placements: [
          // Only the role `user` is shown, so that one of the assistant may be refused.
          { where, probes, fallbackProbes: userTurnsOnly(builder, probes, controls) },
          { ...assistantTurn(builder, 'messages', controls), mayBeRefused: true },
          streamed.place,
        ],
        stream: streamed.stream,
      };
    },
  },
];

const chatSources: readonly ContextSource[] = [
  chatSystemMessage,
  {
    protocol: 'chat',
    slug: 'history',
    description: 'passes the turns that are sent again to the model',
    streamed: true,
    place(builder, controls) {
      const { where, probes, streamed } = userTurns(builder, 'chat', controls);
      const placements = [{ where, probes }, streamed.place, assistantTurn(builder, 'chat', controls)];
      return { placements, stream: streamed.stream };
    },
  },
];

/** The attempt whose reply has a nonce that stands in the instructions alone. */
export const firstInstructionsId = attemptId(contextId('responses', 'instructions'), 1);

const chainSource: ContextSource = {
  protocol: 'responses',
  slug: 'chain',
  description: 'carries the turns of an earlier response',
  streamed: true,
  place(builder, controls, before) {
    const unstreamed = askAlongChain(builder, controls);
    const streamed = streamedPlace(builder, {
      protocol: 'responses',
      id: chainStreamId,
      where: 'earlier in the chain with instructions',
      probes: askAlongChainInStream(builder, controls, unstreamed),
      unstreamed,
      parts: [parameterValueId('responses', 'instructions', 'sample')],
    });
    const said = before.find(({ exchange }) => exchange === firstInstructionsId);
    return {
      placements: [
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
