import { describe, expect, it } from 'vitest';
import type { AttemptRecord } from '../send.ts';
import { type Billing, createBudget } from './budget.ts';

const record = { ending: { kind: 'complete' } } as AttemptRecord;

/** An attempt that may be billed for so many generations, and is for fewer. */
const billing = (most: number, billed = most): Billing => ({
  most: { generations: most, cost: most / 10 },
  of: () => ({ generations: billed, cost: billed / 10 }),
});
type Answer = Awaited<ReturnType<ReturnType<typeof createBudget>['reserve']>>;

/** What was reserved; throws where nothing more may be sent. */
function granted(answer: Answer): Exclude<Answer, { kind: string }> {
  if ('kind' in answer) throw new Error(answer.kind);
  return answer;
}

/** Whether a promise is settled by now. */
async function isDone(promise: Promise<unknown>): Promise<boolean> {
  await new Promise((resolve) => setImmediate(resolve));
  return (await Promise.race([promise, Promise.resolve('open')])) !== 'open';
}

describe('a budget', () => {
  it('of requests counts each attempt before it is sent, and is spent when those under way are over', async () => {
    const budget = createBudget({ maxRequests: 2 });
    const [one, two] = [granted(await budget.reserve(undefined)), granted(await budget.reserve(undefined))];
    const third = budget.reserve(undefined);
    one.settle(record);
    expect(await isDone(third)).toBe(false);
    two.settle(record);
    expect(await third).toEqual({ kind: 'budget-spent', budget: 'requests', limit: 2, used: 2 });
  });

  it('of generations reserves what each may be billed for, and gives back what it was not', async () => {
    const budget = createBudget({ maxGenerations: 10 });
    const images = granted(await budget.reserve(billing(8, 1)));
    const next = budget.reserve(billing(3));
    expect(await isDone(next)).toBe(false);
    images.settle(record);
    granted(await next).settle(record);
    expect(await budget.reserve(billing(7))).toEqual({
      kind: 'budget-spent',
      budget: 'generations',
      limit: 10,
      used: 4,
    });
  });

  it('of costs is used up to the last digit, and not beyond', async () => {
    const budget = createBudget({ maxCost: 0.3 });
    for (let number = 0; number < 3; number++) granted(await budget.reserve(billing(1))).settle(record);
    expect(await budget.reserve(billing(1))).toEqual({
      kind: 'budget-spent',
      budget: 'cost',
      limit: 0.3,
      used: 0.3,
    });
  });

  it('is used up by an earlier part of the run, too', async () => {
    const budget = createBudget({ maxRequests: 4, maxGenerations: 5 });
    for (const each of [billing(2), undefined])
      budget.note(each, { response: null, ending: { kind: 'complete' } });
    granted(await budget.reserve(billing(2))).settle(record);
    expect(await budget.reserve(billing(2))).toMatchObject({ budget: 'generations', used: 4 });
    granted(await budget.reserve(undefined)).settle(record);
    expect(await budget.reserve(undefined)).toMatchObject({ budget: 'requests', used: 4 });
  });

  it('gives back all of an attempt that was not made', async () => {
    const budget = createBudget({ maxRequests: 1, maxGenerations: 1 });
    granted(await budget.reserve(billing(1))).settle();
    granted(await budget.reserve(billing(1))).settle(record);
  });
});
