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
    ['whose stream is one event', ['model.short-input', 'events.only-deltas', 'framing.ndjson-as-sse']],
    [
      'whose model echoes in streams that do not say why it ends',
      ['model.echo.user-turns', 'events.strings'],
    ],
    [
      'whose model echoes, and says in its own words why it ends',
      ['model.echo.user-turns', 'result.finish-reason'],
    ],
    ['that ends texts early without `max_tokens`, untold', ['model.cut-by-default', 'events.only-deltas']],
    [
      'that serves one group, and locks out behind three refused logins',
      ['lock.address-three', 'routes.only-third-party-client'],
    ],
    [
      'that serves one group, and limits failed logins',
      ['lock.logins-429', 'routes.only-third-party-client'],
    ],
    [
      'whose refusals all name a time to come again, and the limit of whose token ends',
      ['refusal.retry-after', 'rate-limit.ending'],
    ],
    ['whose events are JSON strings, one a line', ['events.strings', 'framing.ndjson-as-sse']],
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
