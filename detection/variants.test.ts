import { describe, expect, test } from 'vitest';
import { acceptanceOf, accepted, slowFirst } from './blame.fixture.ts';
import { sampledVariants } from './sample.fixture.ts';

const patience = 120_000;

describe('a conformant gateway', () => {
  test.concurrent.each(slowFirst(sampledVariants()))(
    '$id is accepted',
    async (variant) => expect(await acceptanceOf(variant)).toEqual(accepted),
    patience,
  );
});
