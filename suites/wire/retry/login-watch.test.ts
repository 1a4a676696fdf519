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
  watch.noteAnswered(performance.now() - 1000);
  expect(watch.isSpent()).toBe(true);
  const over = watch.begin();
  watch.noteAnswered(performance.now());
  expect(watch.isSpent()).toBe(false);
  for (let times = 1; times < mostWrongInRow; times += 1) watch.begin()();
  expect(watch.isSpent()).toBe(true);
  over();
});

it('begins anew where nothing is answered', () => {
  const watch = spent();
  watch.forget();
  expect(watch.isSpent()).toBe(false);
});

it('tells when one of those that count is over', async () => {
  const watch = createLoginWatch();
  const [over] = [watch.begin(), watch.begin()];
  let isOver = false;
  const told = watch.oneOver().then(() => {
    isOver = true;
  });
  await new Promise(setImmediate);
  expect(isOver).toBe(false);
  over();
  await told;
  expect(isOver).toBe(true);
});
