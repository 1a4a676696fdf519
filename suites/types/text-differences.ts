import { type TextSource, textSources } from './text-situations.ts';

/** What stands between two words of a text besides its blanks and full stops, and may be lost or written otherwise. */
export const signNames = [
  'two blanks',
  'emoji',
  'ampersand',
  'angle brackets',
  'quotation mark',
  'line break',
  'backslash',
] as const;
export type SignName = (typeof signNames)[number];

/** What becomes of the words of a text. */
const wordDifferences = [
  /** Letters come as their bytes read in another encoding: no model writes so. */
  'misread',
  /** The character that stands for bytes which are none comes in the place of letters or signs. */
  'undecoded',
  /** Nothing comes of a text: of one that stands in the question, the system prompt or an earlier turn. */
  'unsaid',
  'system unsaid',
  'history unsaid',
  'lost',
  'doubled',
  'moved',
  /** Other words come in the place of some. */
  'altered',
  /** All letters come, and not the blanks between the words. */
  'joined',
  /** Words come that stand nowhere in the request. */
  'added',
] as const;

/** What it is called that nothing of a text comes, by where it stands. */
export const unsaidOf = {
  question: 'unsaid',
  system: 'system unsaid',
  history: 'history unsaid',
} as const satisfies Record<TextSource, TextDifference>;

/** Where a text stands of which nothing comes; undefined of all other differences. */
export const sourceOfUnsaid = (difference: TextDifference): TextSource | undefined =>
  textSources.find((source) => unsaidOf[source] === difference);

/** Whether it is a part of the context that is lost, and no text of the question. */
export const isOfContext = (difference: TextDifference): boolean =>
  (sourceOfUnsaid(difference) ?? 'question') !== 'question';

/** How a text is written, which the words of a prompt may ask for. */
const styleDifferences = ['case', ...signNames] as const;
export type StyleDifference = (typeof styleDifferences)[number];

export type TextDifference = (typeof wordDifferences)[number] | StyleDifference;
export const textDifferences: readonly TextDifference[] = [...wordDifferences, ...styleDifferences];

/** What may differ though all words of a text came, and as they are. */
export const isBesides = (difference: TextDifference): boolean =>
  difference === 'added' || styleDifferences.some((style) => style === difference);

/** What every text may hold without a word: letters, digits and what ends a sentence. */
const signs = /[^A-Za-z0-9.,:?! ]/gu;

const names: Readonly<Record<string, string>> = {
  '"': 'a quotation mark',
  '\\': 'a backslash',
  '\n': 'a line break',
  '&': 'an ampersand',
  '<': 'an opening angle bracket',
  '>': 'a closing angle bracket',
  '-': 'a hyphen',
};

/** A sign of a text in words, such as `a quotation mark`. */
export function signInWords(sign: string): string {
  const known = names[sign];
  if (known !== undefined) return known;
  return /\p{L}/u.test(sign) ? `the letter ${sign}` : `the sign ${sign}`;
}

/** The signs of a text, each once: what may be left out of it without a word less. */
export const signsOf = (text: string): readonly string[] => [...new Set(text.match(signs))];
