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

  test.concurrent.each([
    [
      'whose refusals all name a time to come again, and that takes no turns but of users',
      ['request.users-only', 'refusal.retry-after'],
    ],
    ['that says 509 now and then, and refuses by 200', ['refusal.status-200', 'transient.509']],
    ['that says 429 now and then, and to invalid tokens', ['refusal.authentication-429', 'transient.429']],
  ])(
    '%s is accepted',
    async (_what, ids) => expect(await acceptanceOf(combinationNamed(...ids))).toEqual(accepted),
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
