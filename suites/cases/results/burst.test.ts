import { describe, expect, it } from 'vitest';
import { families, groups } from '../../../spec/vocabulary.ts';
import type { PlannedRequest } from '../../types/plan.ts';
import type { Profile } from '../../types/profile.ts';
import type { Scope } from '../../types/scope.ts';
import { everything, planFor } from '../../plan/plan.ts';
import { waitsIn } from '../../run/order.ts';
import { burstSize } from './results.ts';

const whole: Scope = { families, groups, rateLimited: true };
const planned = (profile: Profile, scope = whole) =>
  planFor(scope, 1, everything, { profile, skipCostly: false });
const inBurst = ({ requests }: { readonly requests: readonly PlannedRequest[] }): readonly PlannedRequest[] =>
  requests.filter(({ stage }) => stage === 'burst');

describe('a burst', () => {
  it('is as large with one caller, and none without a text model', () => {
    expect(inBurst(planned('full', { ...whole, families: ['conversational'] }))).toHaveLength(burstSize);
    expect(inBurst(planned('full', { ...whole, families: ['image'] }))).toEqual([]);
  });

  it('waits for the same as a whole: all that is valid, and for none of its own', () => {
    const plan = planned('full');
    const waits = waitsIn(plan);
    const [first, ...others] = inBurst(plan).map((request) => waits(request).always.flat());
    expect(first).toEqual(
      expect.arrayContaining(['responses.plain', 'messages.plain', 'chat.plain', 'images.plain']),
    );
    expect(first?.filter((id) => id.includes('.burst.'))).toEqual([]);
    for (const other of others) expect(other).toEqual(first);
  });
});
