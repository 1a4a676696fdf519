import { expect, it } from 'vitest';
import { createRetryAfterClock } from './target-health.ts';

it('one limited reply holds up nothing, two in a row all of the credential, and no other', () => {
  const clock = createRetryAfterClock(60_000, 90_000);
  clock.note('a', { askedMs: 5000 });
  expect(clock.left('a')).toBe(0);
  clock.note('a', { askedMs: 5000 });
  expect(clock.left('a')).toBeGreaterThan(4900);
  expect(clock.left('b')).toBe(0);
});

it('another reply in between ends the row', () => {
  const clock = createRetryAfterClock(60_000, 90_000);
  clock.note('a', { askedMs: 5000 });
  clock.note('a', null);
  clock.note('a', { askedMs: 5000 });
  expect(clock.left('a')).toBe(0);
});

it('a pause that is longer than the suite waits, or not named, is not kept', () => {
  const clock = createRetryAfterClock(60_000, 90_000);
  for (const askedMs of [70_000, 70_000, null]) clock.note('a', { askedMs });
  expect(clock.left('a')).toBe(0);
});

it('a credential that was only limited for long is spent, and waited for no more', async () => {
  const clock = createRetryAfterClock(60_000, 30);
  for (const _ of [1, 2]) clock.note('a', { askedMs: 5000 });
  expect(clock.isSpent('a')).toBe(false);
  await new Promise((resolve) => setTimeout(resolve, 40));
  expect([clock.isSpent('a'), clock.left('a'), clock.isSpent('b')]).toEqual([true, 0, false]);
});

it('a credential that is given up is waited for no more, whatever else it gets', () => {
  const clock = createRetryAfterClock(60_000, 90_000);
  clock.giveUp('a');
  clock.note('a', null);
  for (const _ of [1, 2]) clock.note('a', { askedMs: 5000 });
  expect([clock.isSpent('a'), clock.left('a'), clock.isSpent('b')]).toEqual([true, 0, false]);
});
