import { expect, test } from 'vitest';
import { shareOf } from './measured.ts';

test('an interval is that of Wilson, as tables have it', () => {
  const { low, high } = shareOf(81, 263);
  expect(low).toBeCloseTo(0.2553, 3);
  expect(high).toBeCloseTo(0.3662, 3);
});

test('none of 300 leaves shares up to 1.3 % open', () => {
  expect(shareOf(0, 300).low).toBeCloseTo(0, 9);
  expect(shareOf(0, 300).high).toBeCloseTo(0.0126, 3);
});

test('nothing is known of none', () => {
  expect(shareOf(0, 0)).toMatchObject({ low: 0, high: 1 });
});
