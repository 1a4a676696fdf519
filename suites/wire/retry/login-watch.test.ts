import { expect, it } from 'vitest';
import { createLoginWatch, mostWrongInRow } from './login-watch.ts';

/** So many attempts that are over. */
function spent() {
  const watch = createLoginWatch();
  for (let times = 0; times < mostWrongInRow; times += 1) watch.begin()();
  return watch;
}

it('is spent after so many, and no sooner', () => {
  const watch = createLoginWatch();
  expect(watch.isSpent()).toBe(false);
  for (let times = 1; times < mostWrongInRow; times += 1) watch.begin()();
  expect(watch.isSpent()).toBe(false);
  watch.begin()();
  expect(watch.isSpent()).toBe(true);
});

it('counts on what may have arrived behind the valid request', () => {
  const watch = spent();
  watch.noteValid(performance.now() - 1000)(true);
  expect(watch.isSpent()).toBe(true);
  const over = watch.begin();
  watch.noteValid(performance.now())(true);
  expect(watch.isSpent()).toBe(false);
  for (let times = 1; times < mostWrongInRow; times += 1) watch.begin()();
  expect(watch.isSpent()).toBe(true);
  over();
});

it('counts anew behind a valid request that is under way, and on where that is not answered', () => {
  const watch = spent();
  const [first, second] = [watch.noteValid(performance.now()), watch.noteValid(performance.now())];
  expect(watch.isSpent()).toBe(false);
  first(false);
  expect(watch.isSpent()).toBe(true);
  second(true);
  expect(watch.isSpent()).toBe(false);
});

it('is not made to count again what a later valid request was answered behind', () => {
  const watch = spent();
  const [first, second] = [watch.noteValid(performance.now()), watch.noteValid(performance.now())];
  second(true);
  first(false);
  expect(watch.isSpent()).toBe(false);
});

it('begins anew where nothing is answered', () => {
  const watch = spent();
  watch.forget();
  expect(watch.isSpent()).toBe(false);
});
