import type { TextProtocol } from '../../../spec/vocabulary.ts';
import type { NonceQuestion } from '../../checks/shared/nonces.ts';
import type { Condition } from '../../model/plan.ts';
import type { Body } from '../builder/bodies.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import type { RequestOverrides } from '../builder/planned-request.ts';
import type { NonEmpty } from '../builder/non-empty.ts';
import { attemptId } from '../builder/request-ids.ts';

/** Words that a nonce is given in and asked for. */
export interface Wording {
  readonly topic: string;
  readonly statement: (nonce: string) => string;
  /** Replaces an earlier statement. */
  readonly newStatement: (nonce: string) => string;
  readonly question: string;
}

const wordingOf = (topic: string, question: string): Wording => ({
  topic,
  statement: (nonce) => `The ${topic} is ${nonce}.`,
  newStatement: (nonce) => `The ${topic} is now ${nonce}.`,
  question,
});

export const codeName = wordingOf('code name', 'What is the code name? Reply with the code name only.');
const word = wordingOf('word', 'What is the word? Reply with that word only.');

/**
 * How often a model is asked before a reply without the nonce counts (design principle 9), and in which words:
 * there are filters that refuse some words wherever they stand.
 */
const wordings: NonEmpty<Wording> = [codeName, word, codeName];

/** A model that keeps its system prompt to itself, and obeys it, gives the nonce all the same. */
const asOrder = (wording: Wording): Wording => ({
  ...wording,
  statement: (nonce) => `${wording.statement(nonce)} Answer every message with the single word ${nonce}.`,
});

/** The wordings of a system prompt; the second question asks for nothing that stands in it. */
export const systemWordings: NonEmpty<Wording> = [
  codeName,
  { ...asOrder(word), question: 'What is the word for a young dog?' },
  asOrder(codeName),
];

/** An attempt to be made: in which words, and when. */
export interface Attempt {
  readonly wording: Wording;
  readonly nonce: string;
  /** Number of the attempt, from 1. */
  readonly number: number;
  /** For the requests of the attempt; only a first one is sure to be billed. */
  readonly overrides: Pick<RequestOverrides, 'billed' | 'secondFamilyFirst'> & {
    readonly when: readonly Condition[];
  };
}

/** In which words, with which controls and when attempts are made. */
export interface AttemptOptions {
  readonly wordings?: NonEmpty<Wording>;
  /** Where left out, the attempts are the controls. */
  readonly controls?: readonly NonceQuestion[];
  readonly when?: readonly Condition[];
  readonly secondFamilyFirst?: true;
}

/** The attempt before was not recalled, or refused as the control in the same words was. */
function notRecalled(before: NonceQuestion, controls: readonly NonceQuestion[]): Condition {
  const { exchange, nonce, topic } = before;
  const control = controls.find((asked) => asked.topic === topic) ?? before;
  return { kind: 'not-recalled', exchange, nonce, control: control.exchange };
}

/** Makes one attempt for each wording, each with a nonce of its own; a later one only where the earlier failed. */
export function attempts<A extends NonceQuestion>(
  builder: CaseBuilder,
  protocol: TextProtocol,
  make: (attempt: Attempt) => A,
  options: AttemptOptions = {},
): NonEmpty<A> {
  const { when = [], controls, secondFamilyFirst } = options;
  const base = [builder.served(protocol), ...when];
  const family = secondFamilyFirst ? { secondFamilyFirst } : {};
  const isBilled = when.every(({ kind }) => kind === 'answered');
  const [first, ...later] = options.wordings ?? wordings;
  const made: [A, ...A[]] = [
    make({
      wording: first,
      nonce: builder.data.nonce(),
      number: 1,
      overrides: { ...(isBilled ? {} : { billed: 0 }), ...family, when: base },
    }),
  ];
  let before: A = made[0];
  for (const [index, wording] of later.entries()) {
    const again = notRecalled(before, controls ?? made);
    before = make({
      wording,
      nonce: builder.data.nonce(),
      number: index + 2,
      overrides: { billed: 0, ...family, when: [...base, again] },
    });
    made.push(before);
  }
  return made;
}

/** A request that has a nonce somewhere, and asks for it. */
export type NonceBody = (nonce: string, wording: Wording) => Body;

/** The statement and the question in one text. */
export const inline = (nonce: string, { statement, question }: Wording): string =>
  `${statement(nonce)} ${question}`;

/** A question to be asked, in up to as many attempts as there are wordings. */
export interface QuestionToAsk {
  readonly protocol: TextProtocol;
  /** Id of its requests, without the number of the attempt. */
  readonly id: string;
  readonly body: NonceBody;
}

/** Asks in one request for each attempt. */
export const ask = (
  builder: CaseBuilder,
  { protocol, id, body }: QuestionToAsk,
  options: AttemptOptions = {},
): NonEmpty<NonceQuestion> =>
  attempts(
    builder,
    protocol,
    ({ wording, nonce, number, overrides }) => ({
      exchange: builder.send(attemptId(id, number), protocol, { json: body(nonce, wording), ...overrides }),
      nonce,
      topic: wording.topic,
      question: wording.question,
    }),
    options,
  );
