import { describe, expect, test } from 'vitest';
import { faults } from '../fixtures/faults/index.ts';
import { variants } from '../fixtures/variants/index.ts';
import { faultRow, variantRow } from './matrix.ts';

const patience = 60_000;

describe('a gateway with one fault', () => {
  test.concurrent.each(faults)(
    '$id is caught and blamed on what it breaks',
    async (fault) => {
      const { caught, collateral, missed } = await faultRow(fault);
      expect({ caught, collateral, missed }).toEqual({ caught: true, collateral: [], missed: [] });
    },
    patience,
  );
});

describe('a lawful gateway', () => {
  test.concurrent.each(variants)(
    '$id is accepted',
    async (variant) => {
      const { verdict, blamed, open } = await variantRow(variant);
      expect({ verdict, blamed, open }).toEqual({ verdict: 'conformant', blamed: [], open: [] });
    },
    patience,
  );
});
