import { describe, expect, it } from 'vitest';
import { causeId, type Fact } from './fact.ts';
import type { RefusedFactor } from './refused-requests.ts';

const refusal = (...factors: readonly RefusedFactor[]): Fact => ({
  kind: 'parameter-not-supported',
  factors,
  request: {
    protocol: 'chat',
    factors,
    control: undefined,
    refused: { seen: 1, of: 1 },
    others: { seen: 0, of: 1 },
    exchanges: [],
  },
  status: undefined,
  evidence: [],
});

describe('the id of a cause', () => {
  it.each([
    [refusal({ kind: 'member', name: 'max_tokens', value: 9 }), 'parameter-not-supported:chat.max-tokens'],
    [refusal({ kind: 'any-value', name: 'top_p' }), 'parameter-not-supported:chat.top-p'],
    [refusal({ kind: 'sign', sign: '"' }), 'parameter-not-supported:chat.sign-22'],
    [
      refusal(
        { kind: 'member', name: 'max_tokens', value: 9 },
        { kind: 'setting', factor: 'history', description: 'an earlier turn' },
      ),
      'parameter-not-supported:chat.max-tokens+history',
    ],
  ])('tells all that a refusal is for', (fact, id) => {
    expect(causeId(fact)).toBe(id);
  });

  it.each([
    [['chat'], 'stream-not-offered:chat'],
    [['chat', 'messages'], 'stream-not-offered'],
  ] as const)('of no stream by %j', (protocols, id) => {
    expect(causeId({ kind: 'stream-not-offered', protocols, evidence: [] })).toBe(id);
  });
});
