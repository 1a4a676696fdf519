import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createPacer } from './budget.ts';

const rate = { requests: 3, windowMs: 60 };

describe('a pacer', () => {
  it('lets so many through in any window, counted from when each was over', async () => {
    const waits: string[] = [];
    const pacer = createPacer(rate, async (ms, { kind }) => {
      waits.push(kind);
      await sleep(ms);
    });
    const sent: number[] = [];
    const over: number[] = [];
    const one = async (): Promise<void> => {
      const slot = await pacer();
      sent.push(performance.now());
      await sleep(5);
      over.push(performance.now());
      slot.used(performance.now());
    };
    await Promise.all(Array.from({ length: 10 }, one));
    over.sort((a, b) => a - b);
    for (const [index, at] of sent.entries())
      if (index >= rate.requests)
        expect(at - (over[index - rate.requests] ?? 0)).toBeGreaterThanOrEqual(rate.windowMs);
    expect(new Set(waits)).toEqual(new Set(['paced']));
  });

  it('waits for one that is under way where all places are taken, and takes back what was not sent', async () => {
    const pacer = createPacer({ requests: 1, windowMs: 60_000 }, () => Promise.reject(new Error('waited')));
    const first = await pacer();
    const second = pacer();
    first.giveBack();
    first.giveBack();
    (await second).used(performance.now());
    await expect(pacer()).rejects.toThrow('waited');
  });

  it('counts what another pacer sent that shares its places', async () => {
    const places = { freeAt: [] };
    const never = () => Promise.reject(new Error('waited'));
    const one = { requests: 2, windowMs: 60_000 };
    const first = createPacer(one, never, places);
    for (let number = 0; number < 2; number++) (await first()).used(performance.now());
    await expect(createPacer(one, never, places)()).rejects.toThrow('waited');
    await createPacer(one, never)();
  });

  it('without a rate never waits', async () => {
    const pacer = createPacer(undefined, () => Promise.reject(new Error('waited')));
    for (let number = 0; number < 100; number++) (await pacer()).used(performance.now());
  });
});
