import { expect, test } from 'vitest';
import { shareOf, wilson } from './interval.ts';

test('the interval by Wilson is that of the literature', () => {
  const [low, high] = wilson(8, 10);
  expect(low).toBeCloseTo(0.4902, 3);
  expect(high).toBeCloseTo(0.9433, 3);
  expect(wilson(0, 0)).toEqual([0, 1]);
});

test('a share says how many of how many, and the interval', () => {
  expect(shareOf(8, 10)).toBe('8 of 10 (80.0 %, 49.0 % to 94.3 %)');
  expect(shareOf(0, 0)).toBe('none');
});
