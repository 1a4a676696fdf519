import { describe, expect, test } from 'vitest';
import { acceptanceOf, accepted, slowFirst } from '../blame.ts';
import { otherVariants } from '../sample.ts';

const patience = 120_000;

describe('a conformant gateway', () => {
  test.concurrent.each(slowFirst(otherVariants()))(
    '$id is accepted',
    async (variant) => expect(await acceptanceOf(variant)).toEqual(accepted),
    patience,
  );
});
