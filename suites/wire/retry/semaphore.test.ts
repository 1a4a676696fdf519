import { describe, expect, it } from 'vitest';
import { createSemaphore, type Semaphore } from './semaphore.ts';

/** Whether a promise is settled by now. */
const isDone = async (promise: Promise<unknown>): Promise<boolean> => {
  const open = Symbol('open');
  await new Promise((resolve) => setImmediate(resolve));
  return (await Promise.race([promise, Promise.resolve(open)])) !== open;
};

it('a semaphore lets so many through at once, the others in the order they came', async () => {
  const semaphore = createSemaphore(2);
  const [first] = [await semaphore.take(), await semaphore.take()];
  const [third, fourth] = [semaphore.take(), semaphore.take()];
  expect([await isDone(third), await isDone(fourth)]).toEqual([false, false]);
  first();
  expect([await isDone(third), await isDone(fourth)]).toEqual([true, false]);
});

it('a semaphore lets a higher priority through first, whoever came first', async () => {
  const semaphore = createSemaphore(1);
  const first = await semaphore.take();
  const admitted: string[] = [];
  const asks = [undefined, 2, 1, Number.POSITIVE_INFINITY, 2].map(async (priority, at) => {
    const end = await semaphore.take(priority);
    admitted.push(`${at}`);
    end();
  });
  first();
  await Promise.all(asks);
  expect(admitted.join('')).toBe('31420');
});

describe('the size of a semaphore', () => {
  /** Sends one after another, with these outcomes. */
  function left(semaphore: Semaphore, outcomes: string): number {
    for (const outcome of outcomes) semaphore.watch()(outcome === '?' ? null : outcome === 'x');
    return semaphore.size();
  }
  const calm = (count: number): string => '.'.repeat(count);

  it('is halved after three busy replies, down to one', () => {
    const semaphore = createSemaphore(8);
    expect(left(semaphore, 'xx')).toBe(8);
    expect(left(semaphore, 'x')).toBe(4);
    expect(left(semaphore, 'xxx')).toBe(2);
    expect(left(semaphore, 'xxxxxx')).toBe(1);
  });

  it('stays the same where one reply in three or fewer is busy, or where none can tell', () => {
    expect(left(createSemaphore(8), '..x'.repeat(30))).toBe(8);
    expect(left(createSemaphore(8), calm(500))).toBe(8);
    expect(left(createSemaphore(8), '?'.repeat(30))).toBe(8);
  });

  it('is soon smaller where a target gets busy late', () => {
    expect(left(createSemaphore(8), `${calm(300)}xxxxx`)).toBe(4);
  });

  it('grows by one after twenty calm replies in a row, and after forty once one was too many', () => {
    const semaphore = createSemaphore(2);
    expect(left(semaphore, 'xxx')).toBe(1);
    expect(left(semaphore, calm(19))).toBe(1);
    expect(left(semaphore, '.')).toBe(2);
    expect(left(semaphore, 'xxx')).toBe(1);
    expect(left(semaphore, calm(39))).toBe(1);
    expect(left(semaphore, '.')).toBe(2);
    expect(left(semaphore, calm(100))).toBe(2);
  });

  it('does not follow from what was under way when it was halved', () => {
    const semaphore = createSemaphore(8);
    const sent = Array.from({ length: 8 }, () => semaphore.watch());
    for (const tell of sent) tell(true);
    expect(semaphore.size()).toBe(4);
  });

  it('lets nobody else through until those before are fewer than it', async () => {
    const semaphore = createSemaphore(4);
    const [one, two, three, four] = await Promise.all(Array.from({ length: 4 }, () => semaphore.take()));
    expect(left(semaphore, 'xxx')).toBe(2);
    for (const free of [one, two, three]) free?.();
    await semaphore.take();
    const last = semaphore.take();
    expect(await isDone(last)).toBe(false);
    four?.();
    expect(await isDone(last)).toBe(true);
  });

  /** Milliseconds from the end of one to the beginning of the next; 0 where that does not wait. */
  async function pauseMs(semaphore: Semaphore): Promise<number> {
    const free = await semaphore.take();
    const next = semaphore.take();
    const ended = performance.now();
    free();
    const waits = !(await isDone(next));
    (await next)();
    return waits ? performance.now() - ended : 0;
  }

  it('is followed by a pause where one at a time is too much, which doubles and then halves', async () => {
    const semaphore = createSemaphore(2, 1, 200);
    left(semaphore, 'xxx');
    expect(await pauseMs(semaphore)).toBe(0);
    left(semaphore, 'xxxxxx');
    expect(await pauseMs(semaphore)).toBeGreaterThan(48);
    const halved = createSemaphore(1, 1, 200);
    left(halved, `${'xxx'.repeat(3)}${calm(20)}`);
    expect(await pauseMs(halved)).toBeGreaterThan(48);
    left(halved, calm(80));
    expect(await pauseMs(halved)).toBe(0);
  });

  it('has no pause where the longest does not help', async () => {
    const semaphore = createSemaphore(1, 1, 200);
    left(semaphore, 'xxx'.repeat(8));
    expect(await pauseMs(semaphore)).toBe(0);
    left(semaphore, 'xxx'.repeat(8));
    expect(await pauseMs(semaphore)).toBe(0);
  });

  it('has no pause where none is allowed', async () => {
    const semaphore = createSemaphore(1);
    left(semaphore, 'xxx'.repeat(3));
    expect(await pauseMs(semaphore)).toBe(0);
  });

  it('has no pause where a limit is told, which is waited for by itself', async () => {
    const semaphore = createSemaphore(1, 1, 200);
    for (let reply = 0; reply < 9; reply += 1) semaphore.watch()(true, true);
    expect(await pauseMs(semaphore)).toBe(0);
  });
});
