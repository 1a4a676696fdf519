import { describe, expect, test } from 'vitest';
import { faults } from '../fixtures/faults/index.ts';
import { textProtocols } from '../spec/vocabulary.ts';
import { faultRow } from './matrix.ts';

type Fault = (typeof faults)[number];

const patience = 60_000;

const exact = { caught: true, collateral: [], missed: [] };

async function blameOf(fault: Fault, requirements: readonly string[]) {
  const { caught, collateral, missed } = await faultRow(fault, { selected: { requirements } });
  return { caught, collateral, missed };
}

/** Requirements that read the combinations of every endpoint. */
const readMuch = [
  ...textProtocols.map((protocol) => `${protocol}.output.intact`),
  'images.param.size.accepted',
];

/** What breaks in some requests only may be seen in none of the few that its requirement needs. */
async function blameFound(fault: Fault) {
  for (const requirements of [fault.breaks, [...fault.breaks, ...readMuch]]) {
    const blame = await blameOf(fault, requirements);
    if (blame.missed.length === 0) return blame;
  }
  return blameOf(fault, []);
}

/** What the clock shows is looked at apart: runs that do not wait would be in its timings. */
const timed = faults.filter(({ id }) => id.includes('.incremental.'));
const untimed = faults.filter((fault) => !timed.includes(fault));
/** One of so many is judged in a whole run: `npm run detection` judges all so. */
const everyOf = 20;

describe('a gateway with one fault', () => {
  test.concurrent.each(untimed)(
    '$id is caught and blamed on what it breaks',
    async (fault) => expect(await blameFound(fault)).toEqual(exact),
    patience,
  );

  test.concurrent.each(untimed.filter((_, at) => at % everyOf === 0))(
    '$id is blamed on nothing else in a whole run',
    async (fault) => expect(await blameOf(fault, [])).toEqual(exact),
    patience,
  );
});

describe('a gateway that holds its stream back', () => {
  test.concurrent.each(timed)(
    '$id is caught and blamed on what it breaks',
    async (fault) => expect(await blameOf(fault, [])).toEqual(exact),
    patience,
  );
});
