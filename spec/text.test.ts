import { describe, expect, test } from 'vitest';
import { count, groupDigits, repeatedSentences, shorten, wrapText } from './text.ts';

test('a text is cut only where it is longer, and then says so', () => {
  expect(shorten('four', 4)).toBe('four');
  expect(shorten('fives', 4)).toBe('five…');
});

test('a text is cut behind a word, and in a long one without spaces never in a character', () => {
  expect(shorten('two words', 3)).toBe('two…');
  expect(shorten('two words', 4)).toBe('two…');
  expect(shorten('two words', 6)).toBe('two…');
  expect(shorten(`a ${'b'.repeat(40)}`, 30)).toBe(`a ${'b'.repeat(28)}…`);
  expect(shorten('a\u{1f30d}', 2)).toBe('a…');
});

test('a count has its noun in the singular for one only, and a thin space between thousands', () => {
  expect(count(1, 'case')).toBe('1 case');
  expect(count(0, 'case')).toBe('0 cases');
  expect(count(2, 'entry', 'entries')).toBe('2 entries');
  expect(groupDigits(999)).toBe('999');
  expect(groupDigits(1_234_567)).toBe('1\u202f234\u202f567');
});

describe('a text broken into lines', () => {
  test('fills each line up to the width', () => {
    expect(wrapText('one two three', 7)).toEqual(['one two', 'three']);
    expect(wrapText('one two', 6)).toEqual(['one', 'two']);
  });

  test('keeps a word that is longer than the width whole', () => {
    expect(wrapText('a longest b', 3)).toEqual(['a', 'longest', 'b']);
  });
});

test('sentences and lines are counted where they follow themselves', () => {
  expect(repeatedSentences('Hi. Hi. a\na\nHi. end')).toEqual([
    { sentence: 'Hi. ', times: 2 },
    { sentence: 'a\n', times: 2 },
    { sentence: 'Hi. ', times: 1 },
    { sentence: 'end', times: 1 },
  ]);
});
