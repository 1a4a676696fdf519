import { describe, expect, test } from 'vitest';
import { variants } from '../fixtures/variants/index.ts';
import { variantRow } from './matrix.ts';

const patience = 60_000;

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
