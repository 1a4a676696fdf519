import { expect, it } from 'vitest';
import { numbered, numberMark, timesIn } from './numbered.ts';

const text = `The first "words" ${numberMark}. And more.`;
const sent = (times: number): string => JSON.stringify({ input: `Repeat this: ${numbered(text, times)}` });

it('how often a text was asked for is read from the body that asked for it, whatever the id says', () => {
  expect(timesIn(sent(7), ['another text', text])).toBe(7);
});

it('a text without a number counts as sent once, and so does one that the body lacks', () => {
  expect(timesIn(sent(7), ['another text'])).toBe(1);
  expect(timesIn('', [text])).toBe(1);
  expect(timesIn(JSON.stringify({ input: 'The first "words" 10007, and others' }), [text])).toBe(1);
});
