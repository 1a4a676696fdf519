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
  function left(lanes: ReturnType<typeof createLanes>, outcomes: string): number {
    for (const outcome of outcomes) lanes.watch()(outcome === '?' ? null : outcome === 'x');
    return lanes.most();
  }
  const calm = (count: number): string => '.'.repeat(count);

  it('are halved after three busy replies, down to one', () => {
    const lanes = createLanes(8);
    expect(left(lanes, 'xx')).toBe(8);
    expect(left(lanes, 'x')).toBe(4);
    expect(left(lanes, 'xxx')).toBe(2);
    expect(left(lanes, 'xxxxxx')).toBe(1);
  });

  it('stay as many where one reply in three or fewer is busy, or where none can tell', () => {
    expect(left(createLanes(8), '..x'.repeat(30))).toBe(8);
    expect(left(createLanes(8), calm(500))).toBe(8);
    expect(left(createLanes(8), '?'.repeat(30))).toBe(8);
  });

  it('are soon fewer where a target gets busy late', () => {
    expect(left(createLanes(8), `${calm(300)}xxxxx`)).toBe(4);
  });

  it('are one more after twenty calm replies in a row, and after forty once one was too many', () => {
    const lanes = createLanes(2);
    expect(left(lanes, 'xxx')).toBe(1);
    expect(left(lanes, calm(19))).toBe(1);
    expect(left(lanes, '.')).toBe(2);
    expect(left(lanes, 'xxx')).toBe(1);
    expect(left(lanes, calm(39))).toBe(1);
    expect(left(lanes, '.')).toBe(2);
    expect(left(lanes, calm(100))).toBe(2);
  });

  it('do not count what was under way when they became fewer', () => {
    const lanes = createLanes(8);
    const sent = Array.from({ length: 8 }, () => lanes.watch());
    for (const tell of sent) tell(true);
    expect(lanes.most()).toBe(4);
  });

  it('that are taken stay so when they become fewer, and none is given before', async () => {
    const lanes = createLanes(4);
    const [one, two, three, four] = await Promise.all(Array.from({ length: 4 }, () => lanes.take()));
    expect(left(lanes, 'xxx')).toBe(2);
    for (const free of [one, two, three]) free?.();
    await lanes.take();
    const last = lanes.take();
    expect(await isDone(last)).toBe(false);
    four?.();
    expect(await isDone(last)).toBe(true);
  });
});
