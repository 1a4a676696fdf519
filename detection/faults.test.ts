import { describe, expect, test } from 'vitest';
import { combinationFaults } from '../fixtures/faults/combinations/index.ts';
import { faults } from '../fixtures/faults/index.ts';
import { faultRow } from './matrix.ts';

const patience = 60_000;

/** What the clock shows is looked at apart: runs that do not wait would be in its timings. */
const timed = faults.filter(({ id }) => id.includes('.incremental.'));
/** Of what breaks only in combination one of so many: `npm run detection` judges all. */
const everyOf = 6;
const leftOut = new Set(combinationFaults.filter((_, at) => at % everyOf !== 0));
const untimed = faults.filter((fault) => !timed.includes(fault) && !leftOut.has(fault));

const isExact = async (fault: (typeof faults)[number]): Promise<void> => {
  const { caught, collateral, missed } = await faultRow(fault);
  expect({ caught, collateral, missed }).toEqual({ caught: true, collateral: [], missed: [] });
};

describe('a gateway with one fault', () => {
  test.concurrent.each(untimed)('$id is caught and blamed on what it breaks', isExact, patience);
});

describe('a gateway that holds its stream back', () => {
  test.concurrent.each(timed.filter((fault) => !leftOut.has(fault)))(
    '$id is caught and blamed on what it breaks',
    isExact,
    patience,
  );
});
