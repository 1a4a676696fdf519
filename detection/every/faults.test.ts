import { describe, expect, test } from 'vitest';
import { blameFound, exactBlame, isTimed } from '../blame.ts';
import { otherFaults } from '../sample.ts';

const patience = 60_000;

describe('a gateway with one fault', () => {
  test.concurrent.each(otherFaults().filter((fault) => !isTimed(fault)))(
    '$id is caught and blamed on what it breaks',
    async (fault) => expect(await blameFound(fault)).toEqual(exactBlame),
    patience,
  );
});

describe('a gateway that holds its stream back', () => {
  test.concurrent.each(otherFaults().filter(isTimed))(
    '$id is caught and blamed on what it breaks',
    async (fault) => expect(await blameFound(fault)).toEqual(exactBlame),
    patience,
  );
});
