import { describe, expect, test } from 'vitest';
import { blameFound, blameInWholeRun, exactBlame, isTimed } from './blame.ts';
import { sampledFaults } from './sample.ts';

const patience = 60_000;

const timed = sampledFaults().filter(isTimed);
const untimed = sampledFaults().filter((fault) => !isTimed(fault));
/** One of so many is judged in a whole run: `npm run detection` judges all so. */
const everyOf = 20;

describe('a gateway with one fault', () => {
  test.concurrent.each(untimed)(
    '$id is caught and blamed on what it breaks',
    async (fault) => expect(await blameFound(fault)).toEqual(exactBlame),
    patience,
  );

  test.concurrent.each(untimed.filter((_, at) => at % everyOf === 0))(
    '$id is blamed on nothing else in a whole run',
    async (fault) => expect(await blameInWholeRun(fault)).toEqual(exactBlame),
    patience,
  );
});

describe('a gateway that holds its stream back', () => {
  test.concurrent.each(timed)(
    '$id is caught and blamed on what it breaks',
    async (fault) => expect(await blameFound(fault)).toEqual(exactBlame),
    patience,
  );
});
