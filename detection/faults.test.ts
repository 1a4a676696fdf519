import { describe, expect, test } from 'vitest';
import { blameFound, exactBlame, isTimed } from './blame.fixture.ts';
import { sampledFaults } from './sample.fixture.ts';

const timed = sampledFaults().filter(isTimed);
const untimed = sampledFaults().filter((fault) => !isTimed(fault));

describe('a gateway with one fault', () => {
  test.concurrent.each(untimed)('$id is caught and blamed on what it breaks', async (fault) =>
    expect(await blameFound(fault)).toEqual(exactBlame),
  );
});

describe('a gateway that holds its stream back', () => {
  test.concurrent.each(timed)('$id is caught and blamed on what it breaks', async (fault) =>
    expect(await blameFound(fault)).toEqual(exactBlame),
  );
});
