import { describe, expect, test } from 'vitest';
import { acceptanceOf, accepted, slowFirst } from '../blame.fixture.ts';
import { otherVariants } from '../sample.fixture.ts';

/** Milliseconds. Sixteen runs share one core, and the slowest begin together: four took over two minutes in CI. */
const patience = 400_000;

describe('a conformant gateway', () => {
  test.concurrent.each(slowFirst(otherVariants()))(
    '$id is accepted',
    async (variant) => expect(await acceptanceOf(variant)).toEqual(accepted),
    patience,
  );
});
