import { describe, expect, it, test } from 'vitest';
import { causeWords } from '../judge/causes/cause-words.ts';
import { causeId, type Fact, isSameCause } from './fact.ts';
import type { Protocol } from '../../spec/vocabulary.ts';
import type { RefusedFactor } from './refused-requests.ts';

const refusal = (...factors: readonly RefusedFactor[]): Fact => refusalBy('chat', ...factors);

const refusalBy = (protocol: Protocol, ...factors: readonly RefusedFactor[]): Fact => ({
  kind: 'parameter-not-supported',
  factors,
  request: {
    protocol,
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

describe('what several endpoints refuse', () => {
  const [here, there] = [
    refusalBy('chat', { kind: 'any-value', name: 'top_p' }),
    refusalBy('messages', { kind: 'any-value', name: 'top_p' }),
  ];

  it('is one cause where it is refused for the same', () => {
    expect(isSameCause(here, there)).toBe(true);
    expect(isSameCause(here, refusalBy('messages', { kind: 'any-value', name: 'seed' }))).toBe(false);
  });

  it('is told with how often each of them does', () => {
    const told = causeWords([here, there]);
    expect(told).toMatch(/^POST \/v1\/chat\/completions .*: 1 of 1 such requests .*, and 0 of 1 others\./);
    expect(told).toMatch(/So it is at POST \/v1\/messages \(1 of 1, and 0 of 1 others\)\.$/);
    expect(causeWords([here])).not.toContain('So it is');
  });
});

test('a token that is refused at first is told with how many valid requests were', () => {
  const fact: Fact = {
    ...{ kind: 'token-not-accepted', protocol: 'chat', evidence: [], status: 'HTTP 401' },
    ...{ refused: 2, passingOf: 22 },
  };
  expect(causeWords([fact])).toBe(
    'POST /v1/chat/completions refuses a valid token at first in 2 of 22 valid requests (HTTP 401), and takes it when the request is sent again.',
  );
});
