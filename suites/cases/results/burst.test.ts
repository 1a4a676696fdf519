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
  it('is of every caller of a text protocol, with streams and without', () => {
    const requests = inBurst(planned('full'));
    expect(requests).toHaveLength(burstSize);
    const callers = requests.map(
      ({ protocol, callers: [caller] }) => `${protocol} ${caller?.family} ${caller?.group}`,
    );
    expect(new Set(callers).size).toBe(6);
    expect(new Set(requests.map(({ protocol, stream }) => `${protocol} ${stream}`)).size).toBe(6);
    expect(new Set(requests.map(({ body }) => JSON.stringify(body))).size).toBe(burstSize);
    for (const { billed, expect: hoped } of requests)
      expect({ billed, hoped }).toEqual({ billed: 1, hoped: 'answer' });
  });

  it('takes turns of the callers, each with a stream in every second turn of its own', () => {
    const numberOf = ({ id }: PlannedRequest): number => Number(id.split('.').at(-1));
    const requests = inBurst(planned('full')).toSorted((one, other) => numberOf(one) - numberOf(other));
    const turns = requests.map(
      ({ id, stream, callers: [first] }) =>
        `${id} ${first?.family} ${first?.group}${stream ? ' streamed' : ''}`,
    );
    expect(turns).toEqual([
      'responses.burst.1 general default',
      'responses.burst.2 general coding-tool',
      'responses.burst.3 general third-party-client',
      'messages.burst.4 conversational third-party-client',
      'chat.burst.5 multimodal default',
      'chat.burst.6 general default',
      'responses.burst.7 general default streamed',
      'responses.burst.8 general coding-tool streamed',
      'responses.burst.9 general third-party-client streamed',
      'messages.burst.10 conversational third-party-client streamed',
      'chat.burst.11 multimodal default streamed',
      'chat.burst.12 general default streamed',
      'responses.burst.13 general default',
      'responses.burst.14 general coding-tool',
      'responses.burst.15 general third-party-client',
      'messages.burst.16 conversational third-party-client',
    ]);
    for (const { body, when } of requests) {
      expect(JSON.stringify(body)).toMatch(/The code name is [A-Z]+-\d+\. What is the code name\?/);
      expect(when[0]?.kind).toBe('answered');
    }
    expect(requests[4]?.callers.map(({ family }) => family)).toEqual(['multimodal', 'general']);
    expect(requests[5]?.callers.map(({ family }) => family)).toEqual(['general', 'multimodal']);
  });

  it('is as large with one caller, and none without a text model', () => {
    expect(inBurst(planned('full', { ...whole, families: ['conversational'] }))).toHaveLength(burstSize);
    expect(inBurst(planned('full', { ...whole, families: ['image'] }))).toEqual([]);
  });

  it.each(['smoke', 'standard'] as const)('is not asked in %s', (profile) => {
    expect(inBurst(planned(profile))).toEqual([]);
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
