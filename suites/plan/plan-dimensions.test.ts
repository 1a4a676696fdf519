import { describe, expect, it } from 'vitest';
import { askedDimensions } from './plan-dimensions.ts';
import { planned } from './planned.fixture.ts';

const countOf = (plan: Parameters<typeof askedDimensions>[0], name: string): number | undefined =>
  askedDimensions(plan).find((each) => each.name === name)?.count;

describe('the dimensions of a plan', () => {
  const plan = planned();

  it('are counted from what it asks, each different thing once', () => {
    expect(countOf(plan, 'combinations of settings')).toBe(
      new Set(plan.requests.map(({ id }) => id).filter((id) => /^\w+\.(combination\.\d+|long)$/.test(id)))
        .size,
    );
    expect(countOf(plan, 'shapes of a conversation')).toBeGreaterThanOrEqual(9);
    expect(countOf(plan, 'properties of texts')).toBeGreaterThanOrEqual(14);
    expect(countOf(plan, 'situations that a text is compared in')).toBeGreaterThanOrEqual(15);
    expect(countOf(plan, 'limits of a reply')).toBe(3);
    expect(countOf(plan, 'values that are the default')).toBe(5);
    expect(countOf({ ...plan, requests: [...plan.requests, ...plan.requests] }, 'headers of clients')).toBe(
      countOf(plan, 'headers of clients'),
    );
  });

  it('name what is asked beside each other, before and behind each other, and of all', () => {
    expect(askedDimensions(plan).map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'places of a word that is asked for',
        'models with a token',
        'requests that end in the words of another',
        'requests with an earlier id',
        'valid requests that are sent in any case',
        'requests for a family or group that must be refused',
        'paths that the interface leaves open',
        'refusals that tell the classes of errors',
      ]),
    );
    const without = { ...plan, cases: plan.cases.filter(({ check }) => check.kind !== 'recall') };
    expect(countOf(without, 'places of a word that is asked for')).toBeUndefined();
  });

  it('are left out where the plan asks nothing of them', () => {
    expect(askedDimensions({ requests: [], cases: [] })).toEqual([]);
    const without = plan.requests.filter(({ expect: hope }) => hope !== 'limited');
    expect(countOf({ ...plan, requests: without }, 'situations of a spent limit')).toBeUndefined();
  });
});
