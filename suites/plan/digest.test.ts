import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { profiles } from '../types/profile.ts';
import { countOf } from './plan-counts.ts';
import { planned } from './planned.fixture.ts';

// Where the plan is meant to change: `npx vitest run suites/plan/digest.test.ts -u`, and the commit says what changed.
it.each(profiles)(
  'the plan of %s asks what it did: its ids, bodies, controls and requirements',
  (profile) => {
    const { cases, requests } = planned(undefined, {}, { profile, skipCostly: false });
    const byId = <T extends { readonly id: string }>(rows: readonly T[]): readonly T[] =>
      [...rows].sort((one, other) => (one.id < other.id ? -1 : 1));
    const whole = JSON.stringify([byId(cases), byId(requests)]);
    const digest = createHash('sha256').update(whole).digest('hex').slice(0, 16);
    expect({ cases: cases.length, ...countOf(requests), digest }).toMatchSnapshot();
  },
);
