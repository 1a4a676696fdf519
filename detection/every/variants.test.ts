import { describe, expect, test } from 'vitest';
import { acceptanceOf, accepted, slowFirst, undecidedRuns } from '../blame.fixture.ts';
import { otherVariants } from '../sample.fixture.ts';
import { combinationNamed } from '../../fixtures/variants/combination.ts';

/** At most so many of the variants are judged twice because the first run was not decided. */
const mostUndecided = 3;

/** Milliseconds. Sixteen runs share one core, and the slowest begin together: four took over two minutes in CI. */
const patience = 600_000;

describe('a conformant gateway', () => {
  test.concurrent.each(slowFirst(otherVariants()))(
    '$id is accepted',
    async (variant) => expect(await acceptanceOf(variant)).toEqual(accepted),
    patience,
  );

  test.concurrent(
    'whose refusals all name a time to come again, and that takes no turns but of users, is accepted',
    async () => {
      const ids = ['request.users-only', 'refusal.retry-after'];
      expect(await acceptanceOf(combinationNamed(...ids))).toEqual(accepted);
    },
    patience,
  );
});

describe('the runs of conformant gateways', () => {
  test(`are decided at the first attempt, but for at most ${mostUndecided}`, () => {
    const own = otherVariants().flatMap(({ id }) =>
      undecidedRuns.has(id) ? [[id, undecidedRuns.get(id)]] : [],
    );
    expect(own.slice(mostUndecided)).toEqual([]);
  });
});
