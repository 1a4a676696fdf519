import { expect, test } from 'vitest';
import { roughly, secondsLeft } from './progress.ts';

test('what is left takes as long as its requests do', () => {
  expect(secondsLeft({ left: 80, seconds: 40 })).toBe(40);
});

test('it takes no less than a limit by the minute allows', () => {
  expect(secondsLeft({ left: 60, seconds: 6, perMinute: 60 })).toBe(60);
  expect(secondsLeft({ left: 90, seconds: 810, perMinute: 60 })).toBe(810);
});

test('nothing is known of the first requests but what a limit tells', () => {
  expect(secondsLeft({ left: 96, seconds: undefined })).toBeUndefined();
  expect(secondsLeft({ left: 100, seconds: undefined, perMinute: 60 })).toBe(100);
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
