import { protocolFacts } from '../../../spec/protocols.ts';
import type { TextProtocol } from '../../../spec/vocabulary.ts';
import { numberMark } from '../../types/numbered.ts';
import { cellId, comparedContextId, comparedStreams } from '../../types/request-ids.ts';
import type { Template } from '../../types/template.ts';
import { type Body, turn } from '../builder/bodies.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { codeName, label, questionFor, title, type Wording, word } from '../builder/question-words.ts';
import { scripted } from '../combinations/row-settings.ts';

/** Longer than what gateways that cut a text leave of it, and shorter than what a model may refuse (8.4). */
const sentences = 'Plain words fill this sentence so that what follows stands far behind. '.repeat(6);

/** The words that one prompt gives in all its places. */
interface Words {
  readonly system: string;
  readonly user: string;
  readonly assistant: string;
  readonly inline: string;
}

const given = ({ statement }: Wording, text: string): string => statement(text);

/** Turns in which the first one has a word, one amid them of each role, and the last, which asks for them all. */
const turnsOf = ({ user, assistant, inline }: Words): readonly Template[] => [
  turn('user', `${sentences}${given(word, user)}`),
  turn('assistant', 'OK.'),
  turn('user', 'Pick a label and tell me.'),
  turn('assistant', `${sentences}${given(label, assistant)}`),
  turn('user', 'Hi'),
  turn('assistant', 'Hi'),
  turn('user', `${given(title, inline)} ${questionFor([codeName, word, label, title])}`),
];

function bodyOf(protocol: TextProtocol, words: Words): Body {
  const { content } = protocolFacts[protocol];
  const system = `${sentences}${given(codeName, words.system)}`;
  const turns = turnsOf(words);
  const model = { $: 'model' } as const;
  if (protocol === 'chat') return { model, [content]: [turn('system', system), ...turns] };
  return protocol === 'messages'
    ? { model, [content]: turns, max_tokens: 1024, system }
    : { model, [content]: turns, instructions: system };
}

/**
 * One prompt with words in all places that a request has, asked of each caller with each value of `stream`: a model sees no
 * difference. They are sent where replies are compared (a second sample), and never for themselves.
 */
export function comparedContext(builder: CaseBuilder, protocol: TextProtocol): readonly string[] {
  const { system, user, assistant, inline } = builder.data.comparedWords;
  const text = (nonce: string): string => scripted(`${nonce} ${numberMark}`);
  const words = { system: text(system), user: text(user), assistant: text(assistant), inline: text(inline) };
  const body = bodyOf(protocol, words);
  const recalls = [
    { place: 'system', text: words.system },
    { place: 'earlier', text: words.user },
    { place: 'earlier', text: words.assistant },
  ] as const;
  return builder.callers(protocol).flatMap((caller) => {
    const served = cellId(caller, protocol);
    return comparedStreams.map((stream) =>
      builder.send(comparedContextId(caller, protocol, stream), protocol, {
        json: { ...body, ...(stream === null ? {} : { stream }) },
        callers: [caller],
        billed: 0,
        says: [words.inline],
        recalls,
        isCompared: true,
        // Not among the lanes, whose order it would change: it never goes by itself.
        stage: 'after',
        when: [
          { kind: 'answered', any: [served] },
          { kind: 'unanswered', all: [served] },
        ],
      }),
    );
  });
}
