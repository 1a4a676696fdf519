import { describe, expect, it } from 'vitest';
import type { Exchange } from '../types/exchange.ts';
import { answered, findingOf, judge, refused, replied, undecided, viewOf } from './evidence.fixture.ts';
import type { Check } from '../types/checks/check.ts';

const check: Check = {
  kind: 'not-rate-limit',
  requirement: 'r',
  probes: ['a', 'b'],
  control: 'control',
  limited: [],
};
const spent: Check = { ...check, limited: ['spent'] };
const expected = {
  a: { expect: 'refusal', credential: { form: 'invalid', token: 'x' } },
  b: { expect: 'refusal', credential: { form: 'invalid', token: 'x' } },
  spent: { expect: 'limited', credential: { form: 'token', token: 'rate-limited' } },
} as const;

const told = { error: { message: 'too many requests' } };
/** A reply that came four times, while a control was answered. */
function repeated(id: string, json: unknown = told, status = 429): Exchange {
  const last = replied(id, { status, json });
  const [attempt] = last.attempts;
  if (attempt === undefined) throw new Error('the exchange has an attempt');
  const retry = { kind: 'transient', transient: { cause: 'status', status } } as const;
  const before = [1, 2, 3].map(() => ({ ...attempt, retry, control: 'control' }));
  return { ...last, attempts: [...before, attempt] };
}
const judged = (own: Check, ...entries: readonly Exchange[]) =>
  judge(own, viewOf('chat', [answered('control'), ...entries], expected));

describe('an invalid token', () => {
  it('passes where it is refused with another status', () => {
    expect(findingOf(judged(check, refused('a', 401), refused('b', 401))).verdict).toBe('pass');
    expect(findingOf(judged(check, repeated('a'), refused('b', 401))).verdict).toBe('pass');
    expect(findingOf(judged(check, repeated('a', told, 503), repeated('b', told, 503))).verdict).toBe('pass');
  });

  it('fails where it gets 429 again and again while a valid request is answered', () => {
    expect(findingOf(judged(check, repeated('a'), repeated('b')))).toMatchObject({
      verdict: 'fail',
      exchange: 'a',
      message: expect.stringMatching(/^an invalid token is refused as a rate limit is/),
      actual: expect.stringMatching(/^HTTP 429/),
    });
  });

  it('fails where a spent limit is told in the same words, and passes where a field differs', () => {
    const limit = (json: unknown) => replied('spent', { status: 429, json });
    const own = { error: { message: 'too many requests', code: 'limit' } };
    expect(findingOf(judged(spent, repeated('a'), repeated('b'), limit(told))).verdict).toBe('fail');
    expect(findingOf(judged(spent, repeated('a'), repeated('b'), limit(own))).verdict).toBe('fail');
    const invalid = { error: { message: 'invalid token' } };
    const different = [repeated('a', invalid), repeated('b', invalid), limit(told)];
    expect(findingOf(judged(spent, ...different)).verdict).toBe('pass');
  });

  it('is inconclusive where it was refused in other words before: failed logins may be limited', () => {
    const before = refused('earlier', 401);
    const later = (exchange: Exchange): Exchange => ({
      ...exchange,
      timing: { ...exchange.timing, startedAt: '2026-11-20T12:00:01.000Z' },
    });
    const limited = judge(
      check,
      viewOf('chat', [answered('control'), before, later(repeated('a')), later(repeated('b'))], {
        ...expected,
        earlier: expected.a,
      }),
    );
    expect(findingOf(limited)).toMatchObject({ verdict: 'inconclusive', code: 'no-conclusive-reply' });
  });

  describe('where other endpoints tell one otherwise', () => {
    const at = (exchange: Exchange, second: number): Exchange => {
      const startedAt = `2026-11-20T12:00:0${second}.000Z`;
      const attempts = exchange.attempts.map((attempt) => ({ ...attempt, startedAt }));
      return { ...exchange, attempts, timing: { ...exchange.timing, startedAt } };
    };
    const elsewhere = { ...expected.a, protocol: 'responses' } as const;
    const beside = (...entries: readonly Exchange[]) =>
      findingOf(
        judge(
          check,
          viewOf('chat', [answered('control'), ...entries], {
            ...expected,
            x: elsewhere,
            y: elsewhere,
            z: elsewhere,
          }),
        ),
      ).verdict;
    const [before, own, between, last] = [
      at(refused('x', 401), 0),
      at(repeated('a'), 1),
      at(refused('y', 401), 2),
      at(repeated('b'), 3),
    ];

    it('fails, for a limit of logins counts them all', () => {
      expect(beside(before, own, between, last)).toBe('fail');
    });

    it('is inconclusive where nothing else was told between', () => {
      expect(beside(before, own, last)).toBe('inconclusive');
    });

    it('is untested where another endpoint has the limit from then on, too: failed logins are limited', () => {
      expect(beside(before, own, at(repeated('y'), 2), last)).toBe('untested');
    });

    it('is inconclusive where another endpoint had the limit, and has it no more', () => {
      const after = at(refused('z', 401), 4);
      expect(beside(before, own, at(repeated('y'), 2), last, after)).toBe('inconclusive');
    });
  });

  it.each(undecided)('is inconclusive on %s', (_, entry, why) => {
    const judgement = judge(
      check,
      viewOf('chat', [answered('control'), repeated('a'), entry('b')], expected),
    );
    expect(findingOf(judgement)).toMatchObject({ verdict: 'inconclusive' });
    expect(why).toBeInstanceOf(RegExp);
  });

  it('is inconclusive where the control is not answered', () => {
    const entries = [refused('control'), refused('a', 401), refused('b', 401)];
    expect(findingOf(judge(check, viewOf('chat', entries, expected))).verdict).toBe('inconclusive');
  });

  it('is inconclusive where it was answered', () => {
    expect(findingOf(judged(check, answered('a'), answered('b'))).verdict).toBe('inconclusive');
  });
});
