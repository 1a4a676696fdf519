import { expect, test } from 'vitest';
import { roughly, secondsLeft } from './progress.ts';

test('what is left takes as long as its requests do', () => {
  expect(secondsLeft(80, 40)).toBe(40);
});

test('it takes no less than a limit by the minute allows', () => {
  expect(secondsLeft(60, 6, 60)).toBe(60);
  expect(secondsLeft(90, 810, 60)).toBe(810);
});

test('nothing is known of the first requests but what a limit tells', () => {
  expect(secondsLeft(96)).toBeUndefined();
  expect(secondsLeft(100, undefined, 60)).toBe(100);
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
