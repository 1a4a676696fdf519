import { describe, expect, it } from 'vitest';
import { askedDimensions } from './plan-dimensions.ts';
import { planned } from './planned.fixture.ts';

const countOf = (plan: Parameters<typeof askedDimensions>[0], name: string): number | undefined =>
  askedDimensions(plan).find((each) => each.name === name)?.count;

describe('the dimensions of a plan', () => {
  const plan = planned();

  it('are counted from what it asks, each different thing once', () => {
    expect(countOf(plan, 'combinations of settings')).toBe(
      new Set(plan.requests.map(({ id }) => id).filter((id) => /\.combination\.\d+$/.test(id))).size,
    );
    expect(countOf(plan, 'shapes of a conversation')).toBeGreaterThanOrEqual(9);
    expect(countOf(plan, 'properties of texts')).toBeGreaterThanOrEqual(14);
    expect(countOf({ ...plan, requests: [...plan.requests, ...plan.requests] }, 'headers of clients')).toBe(
      countOf(plan, 'headers of clients'),
    );
  });

  it('are left out where the plan asks nothing of them', () => {
    expect(askedDimensions({ requests: [], cases: [] })).toEqual([]);
    const without = plan.requests.filter(({ expect: hope }) => hope !== 'limited');
    expect(countOf({ ...plan, requests: without }, 'situations of a spent limit')).toBeUndefined();
  });
});
