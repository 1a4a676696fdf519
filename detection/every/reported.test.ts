import { describe, expect, test } from 'vitest';
import { reportedBugs } from '../../fixtures/faults/reported/index.ts';
import { reportedVariants } from '../../fixtures/variants/reported/index.ts';
import { accepted, acceptanceOf } from '../blame.fixture.ts';
import { judgeBug } from '../reported.ts';
import { missedOfOpenHalf } from '../reported-missed.fixture.ts';

const found = reportedBugs.filter(({ half, source }) => half === 'open' && !missedOfOpenHalf.has(source));

/** Milliseconds for two runs beside others: most gateways mostly wait. */
const patience = 400_000;

describe('a bug that users reported', () => {
  test.concurrent.each(found)(
    '$source: $said',
    async (bug) => {
      const narrow = await judgeBug(bug, { selected: { requirements: bug.breaks } });
      if (!narrow.caught) expect((await judgeBug(bug)).caught).toBe(true);
    },
    patience,
  );
});

describe('a conformant behaviour that users reported', () => {
  test.concurrent.each(reportedVariants.filter(({ half }) => half === 'open'))(
    '$source: $said',
    async (variant) => expect((await acceptanceOf(variant)).blamed).toEqual(accepted.blamed),
    patience,
  );
});
