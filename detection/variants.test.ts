import { describe, expect, test } from 'vitest';
import { variants } from '../fixtures/variants/index.ts';
import { variantRow } from './matrix.ts';

/** A lock-out is waited for some twenty times in a run. */
const patience = 150_000;

describe('a conformant gateway', () => {
  test.concurrent.each(variants)(
    '$id is accepted',
    async (variant) => {
      const { verdict, blamed, open } = await variantRow(variant);
      expect({ verdict, blamed, open }).toEqual({ verdict: 'conformant', blamed: [], open: [] });
    },
    patience,
  );
});
