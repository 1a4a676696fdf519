import { describe, expect, test } from 'vitest';
import { blameFound, blameInWholeRun, exactBlame, isTimed } from '../blame.fixture.ts';
import { otherFaults, sampledFaults } from '../sample.fixture.ts';

/** One of so many is judged in a whole run, too: `npm run detection` judges all so. */
const everyOf = 10;
/** Milliseconds: streams without text are waited for, several gateways at once. */
const patience = 400_000;

describe('a gateway with one fault', () => {
  test.concurrent.each(otherFaults().filter((fault) => !isTimed(fault)))(
    '$id is caught and blamed on what it breaks',
    async (fault) => expect(await blameFound(fault)).toEqual(exactBlame),
    patience,
  );

  test.concurrent.each(sampledFaults().filter((fault, at) => !isTimed(fault) && at % everyOf === 0))(
    '$id is blamed on nothing else in a whole run',
    async (fault) => expect(await blameInWholeRun(fault)).toEqual(exactBlame),
    patience,
  );
});

// One after the other: what several runs at once take from this process is in the timing of each.
describe('a gateway that holds its stream back', () => {
  test.each(otherFaults().filter(isTimed))(
    '$id is caught and blamed on what it breaks',
    async (fault) => expect(await blameFound(fault)).toEqual(exactBlame),
    patience,
  );
});
