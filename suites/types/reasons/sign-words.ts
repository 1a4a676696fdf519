import type { SignName } from '../text-differences.ts';

/** The signs of a text in words. */
export const signWords: Readonly<Record<SignName, string>> = {
  'two blanks': 'the second of two blanks',
  emoji: 'an emoji',
  ampersand: 'an ampersand',
  'angle brackets': 'a pair of angle brackets',
  'quotation mark': 'a quotation mark',
  'line break': 'a line break',
  backslash: 'a backslash',
};
