import { expect, test } from 'vitest';
import { roughly, secondsLeft } from './progress.ts';

test('what is left goes as fast as what is done', () => {
  expect(secondsLeft({ planned: 100, done: 20, seconds: 10 })).toBe(40);
  expect(secondsLeft({ planned: 100, done: 100, seconds: 10 })).toBe(0);
});

test('it goes no faster than a limit by the minute allows, and no slower', () => {
  expect(secondsLeft({ planned: 100, done: 40, seconds: 4, perMinute: 60 })).toBe(60);
  expect(secondsLeft({ planned: 100, done: 10, seconds: 90, perMinute: 60 })).toBe(810);
});

test('nothing is known of the first seconds but what a limit tells', () => {
  expect(secondsLeft({ planned: 100, done: 4, seconds: 10 })).toBeUndefined();
  expect(secondsLeft({ planned: 100, done: 50, seconds: 1.9 })).toBeUndefined();
  expect(secondsLeft({ planned: 100, done: 0, seconds: 0, perMinute: 60 })).toBe(100);
});

test.each([
  [0.2, '1 s'],
  [9.4, '9 s'],
  [42, '40 s'],
  [119, '120 s'],
  [120, '2 min'],
  [3_600, '60 min'],
  [9_000, '3 h'],
])('%d seconds are roughly %s', (seconds, words) => {
  expect(roughly(seconds)).toBe(words);
});
