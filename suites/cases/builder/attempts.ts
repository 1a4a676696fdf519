import type { TextProtocol } from '../../../spec/vocabulary.ts';
import type { NonceQuestion } from '../../types/checks/check.ts';
import type { Condition } from '../../types/plan.ts';
import type { RequestBuilder, RequestOverrides } from './request-builder.ts';

export type NonEmpty<T> = readonly [T, ...T[]];

export const lastOf = <T>(list: NonEmpty<T>): T => list.at(-1) ?? list[0];

/** Words that a nonce is given in and asked for. */
export interface Wording {
  readonly topic: string;
  readonly statement: (nonce: string) => string;
  /** Replaces an earlier statement. */
  readonly newStatement: (nonce: string) => string;
  readonly question: string;
}

export const shortReply = 'Reply with the word OK.';

const wordingOf = (topic: string, question: string): Wording => ({
  topic,
  statement: (nonce) => `The ${topic} is ${nonce}.`,
  newStatement: (nonce) => `The ${topic} is now ${nonce}.`,
  question,
});

export const codeName = wordingOf('code name', 'What is the code name? Reply with the code name only.');
const word = wordingOf('word', 'What is the word? Reply with that word only.');
/** What the first response of a chain is given, and those behind it are not. */
export const label = wordingOf('label', 'What is the label? Reply with the label only.');

/** How often a model is asked before a lost nonce counts (principle 9), in which words: a filter may refuse some words. */
export const wordings: NonEmpty<Wording> = [codeName, word, label];

/** A model that keeps its system prompt to itself, and obeys it, gives the nonce all the same. */
export const asOrder = (wording: Wording): Wording => ({
  ...wording,
  statement: (nonce) => `${wording.statement(nonce)} Answer every message with the single word ${nonce}.`,
});

/** Orders of a system prompt; the first question asks for nothing that stands in it. */
const ordered: readonly Wording[] = [
  { ...asOrder(word), question: 'What is the word for a young dog?' },
  asOrder(codeName),
];

/** The wordings of a nonce by where it stands: what one request asks for has different names. */
const byPlace = {
  system: [codeName, ...ordered],
  // In a chain an earlier question must not hold what a system prompt is asked for.
  inline: [word, codeName, word],
  first: [codeName, word, codeName],
  user: [word, codeName, word],
  assistant: [label, codeName, label],
  turn: [label, codeName, label],
  'other-system': [label, ...ordered],
  element: [word, codeName, word],
  root: [label],
  'told-element': [word],
  'element-before': [word, codeName, word],
  chain: [label, codeName, label],
} satisfies Readonly<Record<string, NonEmpty<Wording>>>;

/**
 * Where a row has a nonce that it asks for. A `root` asks for nothing, nor does a `told-element`, for which the next response of
 * the chain asks as the `element-before`; a `limit` asks for a text that is longer than its bound.
 */
export type Place = keyof typeof byPlace | 'limit';

export const wordingsAt = (place: Place): NonEmpty<Wording> =>
  place === 'limit' ? wordings : (byPlace[place] as NonEmpty<Wording>);

export const questionFor = (asked: readonly Wording[]): string =>
  `What is ${asked.map(({ topic }) => `the ${topic}`).join(', and what is ')}? Reply with these only.`;

/** Asks for everything that a request may be given, whatever it is given: what it is not given must not come back. */
export const questionForAll = questionFor(wordings);

/** The same between the first and the last response of a chain: a reply would hand on what the first was given. */
export const questionInChain = questionFor(wordings.filter((wording) => wording !== label));

export interface Attempt {
  readonly wording: Wording;
  readonly nonce: string;
  /** Number of the attempt, from 1. */
  readonly number: number;
  /** For the requests of the attempt; only a first one is sure to be billed. */
  readonly overrides: Pick<RequestOverrides, 'billed'> & { readonly when: readonly Condition[] };
}

/** In which words, with which controls and when attempts are made. */
export interface AttemptOptions<A extends NonceQuestion = NonceQuestion> {
  readonly wordings?: NonEmpty<Wording>;
  /** The same in the question itself, by topic. Where left out, the attempts are their own controls. */
  readonly controls?: readonly NonceQuestion[];
  readonly when?: readonly Condition[];
  /** The first attempt, where it is planned already. */
  readonly first?: A;
  /** Another attempt is due as well where the first is refused: it is another request. */
  readonly evenIfRefused?: true;
}

/** The attempt before was not recalled, or refused as the control in the same words was; without one it is its own. */
export function notRecalled(before: NonceQuestion, controls: readonly NonceQuestion[] = []): Condition {
  const { exchange, nonce, topic } = before;
  const control = controls.find((asked) => asked.topic === topic) ?? before;
  return { kind: 'not-recalled', exchange, nonce, control: control.exchange };
}

/** Goes on with one attempt for each wording, each only where the one before failed. */
export function laterAttempts<A extends NonceQuestion>(
  builder: RequestBuilder,
  make: (attempt: Attempt) => A,
  made: NonEmpty<A>,
  later: readonly Wording[],
  whenAfter: (before: A) => readonly Condition[],
): NonEmpty<A> {
  const all: [A, ...A[]] = [...made];
  for (const wording of later) {
    const overrides = { billed: 0, when: whenAfter(lastOf(all)) };
    all.push(make({ wording, nonce: builder.data.nonce(), number: all.length + 1, overrides }));
  }
  return all;
}

/** Makes one attempt for each wording, each with a nonce of its own; a later one only where the earlier failed. */
export function attempts<A extends NonceQuestion>(
  builder: RequestBuilder,
  protocol: TextProtocol,
  make: (attempt: Attempt) => A,
  options: AttemptOptions<A> = {},
): NonEmpty<A> {
  const { when = [], controls } = options;
  const base = [builder.served(protocol), ...when];
  const isBilled = when.every(({ kind }) => kind === 'answered');
  const [wording, ...later] = options.wordings ?? wordings;
  const overrides = { ...(isBilled ? {} : { billed: 0 }), when: base };
  const first = options.first ?? make({ wording, nonce: builder.data.nonce(), number: 1, overrides });
  const { exchange, nonce } = first;
  return laterAttempts(builder, make, [first], later, (before) => [
    ...base,
    options.evenIfRefused && before === first
      ? { kind: 'unrecalled', any: [{ exchange, nonce }] }
      : notRecalled(before, controls ?? [first]),
  ]);
}
