import type { TextProtocol } from '../../spec/vocabulary.ts';
import type { NoncePlacement } from '../checks/recall.ts';
import type { NonceQuestion } from '../checks/shared/nonces.ts';
import type { Template } from '../model/plan.ts';
import { asking, plain, turn } from './builder/bodies.ts';
import type { CaseBuilder } from './builder/case-builder.ts';
import { type Body, systemWordings } from './asking.ts';
import { askAlongChain, askAlongChainInStream, askForReply, follow } from './chains.ts';
import { askBothWays, inStream } from './in-streams.ts';
import { assistantTurn, inputArray, small, userTurns, userTurnsOnly } from './turns.ts';

/** A way in which context reaches a model, and where on it a nonce is put. */
export interface Way {
  readonly protocol: TextProtocol;
  readonly slug: string;
  readonly words: string;
  /** It is not asked in a stream. */
  readonly unstreamed?: true;
  /** `before`: what is asked on the ways before it. */
  places(
    builder: CaseBuilder,
    controls: readonly NonceQuestion[],
    before: readonly NonceQuestion[],
  ): readonly NoncePlacement[];
}

/** A place outside the turns, judged with the wordings of a system prompt. */
const prompted = (
  protocol: TextProtocol,
  where: string,
  slug: string,
  words: string,
  body: (told: string, question: string) => { readonly [name: string]: Template },
  /** What stands beside it in the stream. */
  more: (told: string, question: string) => { readonly [name: string]: Template } = () => ({}),
  beside = '',
  alone: readonly string[] = [],
): Way => ({
  protocol,
  slug,
  words,
  places: (builder, controls) => {
    const id = `${protocol}.context.${slug}`;
    const asked: Body = (nonce, { told, question }) => body(told(nonce), question);
    const inOne: Body = (nonce, wording) => ({
      ...asked(nonce, wording),
      ...more(wording.told(nonce), wording.question),
    });
    const other = { body: inOne, beside, alone };
    return askBothWays(builder, protocol, where, id, asked, { wordings: systemWordings, controls }, other);
  },
});

/** How context reaches a model. */
export const ways: readonly Way[] = [
  prompted(
    'responses',
    'in the instructions',
    'instructions',
    'gives the model the instructions',
    (told, question) => ({ ...asking('responses', question), instructions: told }),
    () => follow('responses.plain'),
    ' behind an earlier response',
    ['responses.previous-response-id.earlier'],
  ),
  {
    protocol: 'responses',
    slug: 'input',
    unstreamed: true,
    words: 'gives the model every element of an input array',
    places: (builder, controls) => [inputArray(builder, controls)],
  },
  prompted(
    'messages',
    'in the system prompt',
    'system',
    'gives the model the system prompt',
    (told, question) => ({ ...asking('messages', question), system: told }),
  ),
  {
    protocol: 'messages',
    slug: 'history',
    words: 'gives the model the turns resent',
    places: (builder, controls) => {
      const [user, streamed] = userTurns(builder, 'messages', controls);
      return [
        // Only the role `user` is shown, so that one of the assistant may be refused.
        { ...user, fallbackProbes: userTurnsOnly(builder, user, controls) },
        { ...assistantTurn(builder, 'messages', controls), mayBeRefused: true },
        streamed,
      ];
    },
  },
  prompted(
    'chat',
    'in a turn of role system',
    'system',
    'gives the model a message of role system',
    (told, question) => ({ ...plain.chat, messages: [turn('system', told), turn('user', question)] }),
    (told, question) => ({ messages: [turn('system', told), ...small, turn('user', question)], top_p: 1 }),
    ' before a history',
    ['chat.top-p.1', 'chat.messages.assistant'],
  ),
  {
    protocol: 'chat',
    slug: 'history',
    words: 'gives the model the turns resent',
    places: (builder, controls) => [
      ...userTurns(builder, 'chat', controls),
      assistantTurn(builder, 'chat', controls),
    ],
  },
  {
    protocol: 'responses',
    slug: 'chain',
    words: 'carries the turns of an earlier response',
    places: (builder, controls, before) => {
      const probes = askAlongChain(builder, controls);
      const streamed = askAlongChainInStream(builder, controls, probes);
      const said = before.find(({ exchange }) => exchange === 'responses.context.instructions.1');
      return [
        { where: 'three responses earlier in the chain', probes },
        inStream(builder, 'responses', 'earlier in the chain beside instructions', streamed, probes, [
          'responses.instructions.sample',
        ]),
        ...(said ? [askForReply(builder, said, controls)] : []),
      ];
    },
  },
];
