import { describe, expect, it } from 'vitest';
import { createLanes, createSlots } from './slots.ts';

/** Whether a promise is settled by now. */
const isDone = async (promise: Promise<unknown>): Promise<boolean> => {
  const open = Symbol('open');
  await new Promise((resolve) => setImmediate(resolve));
  return (await Promise.race([promise, Promise.resolve(open)])) !== open;
};

it('slots let so many through at once, the others in the order they came', async () => {
  const slots = createSlots(2);
  const [first] = [await slots.take(), await slots.take()];
  const [third, fourth] = [slots.take(), slots.take()];
  expect([await isDone(third), await isDone(fourth)]).toEqual([false, false]);
  first();
  expect([await isDone(third), await isDone(fourth)]).toEqual([true, false]);
});

describe('lanes', () => {
  /** Sends one after another, with these outcomes. */
  async function after(lanes: ReturnType<typeof createLanes>, outcomes: string): Promise<number> {
    for (const outcome of outcomes) (await lanes.take())(outcome === '?' ? null : outcome === 'x');
    return lanes.most();
  }
  const calm = (count: number): string => '.'.repeat(count);

  it('are halved after three busy replies, down to one', async () => {
    const lanes = createLanes(8);
    expect(await after(lanes, 'xx')).toBe(8);
    expect(await after(lanes, 'x')).toBe(4);
    expect(await after(lanes, 'xxx')).toBe(2);
    expect(await after(lanes, 'xxxxxx')).toBe(1);
  });

  it('stay as many where one reply in three or fewer is busy, or where none can tell', async () => {
    expect(await after(createLanes(8), '..x'.repeat(30))).toBe(8);
    expect(await after(createLanes(8), calm(500))).toBe(8);
    expect(await after(createLanes(8), '?'.repeat(30))).toBe(8);
  });

  it('are soon fewer where a target gets busy late', async () => {
    expect(await after(createLanes(8), `${calm(300)}xxxxx`)).toBe(4);
  });

  it('are one more after twenty calm replies in a row, and after forty once one was too many', async () => {
    const lanes = createLanes(2);
    expect(await after(lanes, 'xxx')).toBe(1);
    expect(await after(lanes, calm(19))).toBe(1);
    expect(await after(lanes, '.')).toBe(2);
    expect(await after(lanes, 'xxx')).toBe(1);
    expect(await after(lanes, calm(39))).toBe(1);
    expect(await after(lanes, '.')).toBe(2);
    expect(await after(lanes, calm(100))).toBe(2);
  });

  it('do not count what was under way when they became fewer', async () => {
    const lanes = createLanes(8);
    const taken = await Promise.all(Array.from({ length: 8 }, () => lanes.take()));
    for (const free of taken) free(true);
    expect(lanes.most()).toBe(4);
  });

  it('that are taken stay so when they become fewer, and none is given before', async () => {
    const lanes = createLanes(4);
    const [one, two, three, four] = await Promise.all(Array.from({ length: 4 }, () => lanes.take()));
    for (const free of [one, two, three]) free?.(true);
    expect(lanes.most()).toBe(2);
    await lanes.take();
    const last = lanes.take();
    expect(await isDone(last)).toBe(false);
    four?.(false);
    expect(await isDone(last)).toBe(true);
  });
});
