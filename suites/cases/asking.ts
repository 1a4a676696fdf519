import type { TextProtocol } from '../../spec/vocabulary.ts';
import type { NonceQuestion } from '../checks/shared/nonces.ts';
import type { Condition, Template } from '../model/plan.ts';
import type { CaseBuilder } from './builder/case-builder.ts';

/** Words that a nonce is told in and asked for. */
export interface Wording {
  readonly topic: string;
  readonly told: (nonce: string) => string;
  readonly toldAnew: (nonce: string) => string;
  readonly question: string;
}

const calling = (topic: string, question: string): Wording => ({
  topic,
  told: (nonce) => `The ${topic} is ${nonce}.`,
  toldAnew: (nonce) => `The ${topic} is now ${nonce}.`,
  question,
});

/** A system prompt that says nothing of what is asked. */
export const brief = 'Be brief.';

export const codeName = calling('code name', 'What is the code name? Reply with the code name only.');
const word = calling('word', 'What is the word? Reply with that word only.');

/**
 * How often a model is asked before its silence counts (design principle 9), and in which words:
 * there are filters that refuse some, whoever says them.
 */
export const wordings: readonly Wording[] = [codeName, word, codeName];

/** Told to obey, a model that keeps its system prompt to itself gives the nonce away all the same. */
const obeyed = (wording: Wording): Wording => ({
  ...wording,
  told: (nonce) => `${wording.told(nonce)} Answer every message with the single word ${nonce}.`,
});

/** The wordings of a system prompt; the second question asks for nothing that stands in it. */
export const systemWordings: readonly Wording[] = [
  codeName,
  { ...obeyed(word), question: 'What is the word for a young dog?' },
  obeyed(codeName),
];

/** An attempt to be made: in which words, and when. */
export interface Attempt {
  readonly wording: Wording;
  readonly nonce: string;
  /** Number of the attempt, from 1. */
  readonly number: number;
  /** For the requests of the attempt; only a first one is sure to be billed. */
  readonly wish: {
    readonly billed?: number;
    readonly turned?: true;
    readonly when: readonly Condition[];
  };
}

/** In which words, beside which controls and when attempts are made. */
export interface Manner {
  readonly wordings?: readonly Wording[];
  readonly controls?: readonly NonceQuestion[];
  readonly when?: readonly Condition[];
  readonly turned?: true;
}

/**
 * Makes up to three attempts, each with a nonce of its own; a later one only where the earlier was not
 * recalled, or refused as the control in the same words was. Without `controls` the attempts are the controls.
 */
export function attempts<A extends NonceQuestion>(
  builder: CaseBuilder,
  protocol: TextProtocol,
  make: (attempt: Attempt) => A,
  manner: Manner = {},
): readonly A[] {
  const asked: A[] = [];
  const base = [builder.served(protocol), ...(manner.when ?? [])];
  for (const [index, wording] of (manner.wordings ?? wordings).entries()) {
    const before = asked.at(-1);
    const control = (manner.controls ?? asked).find(({ topic }) => topic === before?.topic)?.exchange;
    const again: readonly Condition[] = before
      ? [
          {
            kind: 'not-recalled',
            exchange: before.exchange,
            nonce: before.nonce,
            control: control ?? before.exchange,
          },
        ]
      : [];
    const sure = before === undefined && (manner.when ?? []).every(({ kind }) => kind === 'answered');
    const where = manner.turned ? { turned: manner.turned } : {};
    const wish = { ...(sure ? {} : { billed: 0 }), ...where, when: [...base, ...again] };
    asked.push(make({ wording, nonce: builder.data.nonce(), number: index + 1, wish }));
  }
  return asked;
}

/** A request that has a nonce somewhere, and asks for it. */
export type Body = (nonce: string, wording: Wording) => { readonly [name: string]: Template };

export const inline = (nonce: string, { told, question }: Wording): string => `${told(nonce)} ${question}`;

/** Asks in one request, up to three times. */
export const ask = (
  builder: CaseBuilder,
  protocol: TextProtocol,
  id: string,
  body: Body,
  manner: Manner = {},
): readonly NonceQuestion[] =>
  attempts(
    builder,
    protocol,
    ({ wording, nonce, number, wish }) => ({
      exchange: builder.send(`${id}.${number}`, protocol, { json: body(nonce, wording), ...wish }),
      nonce,
      topic: wording.topic,
      question: wording.question,
    }),
    manner,
  );
