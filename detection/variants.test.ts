import { describe, expect, test } from 'vitest';
import { acceptanceOf, accepted, slowFirst } from './blame.fixture.ts';
import { combinationNamed } from '../fixtures/variants/combination.ts';
import { sampledVariants } from './sample.fixture.ts';

const patience = 120_000;

describe('a conformant gateway', () => {
  test.concurrent.each(slowFirst(sampledVariants()))(
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
  ])(
    '%s is accepted',
    async (_what, ids) => expect(await acceptanceOf(combinationNamed(...ids))).toEqual(accepted),
    patience,
  );
});
