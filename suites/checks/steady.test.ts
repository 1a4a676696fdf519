import { describe, expect, it } from 'vitest';
import type { RetryReason } from '../types/reasons/exchange-reasons.ts';
import type { Check } from '../types/checks/check.ts';
import {
  answered,
  viewOf,
  events,
  findingOf,
  judge,
  refused,
  replied,
  unanswered,
  foundIn,
} from './evidence.fixture.ts';

describe('steady', () => {
  const check: Check = {
    kind: 'steady',
    requirement: 'r',
    protocol: 'chat',
    probes: ['control'],
    invalid: ['invalid'],
    limited: ['limited'],
  };
  const others = [refused('invalid', 401), replied('limited', { status: 429, text: 'later' })];
  const notValid = { invalid: { expect: 'refusal' }, limited: { expect: 'limited' } } as const;
  const wavering = (status: number, retry: RetryReason = { kind: 'confirm-refusal' }) =>
    replied('later', { json: answeredJson(), before: [{ status, retry }] });

  it('passes where every valid request is answered at once', () => {
    const view = viewOf('chat', [answered('control'), answered('later'), ...others], notValid);
    expect(judge(check, view)).toEqual({ findings: [{ requirement: 'r', verdict: 'pass' }] });
  });

  it('fails where one was refused as an invalid token is, and answered when sent again', () => {
    const judgement = judge(check, viewOf('chat', [answered('control'), wavering(401), ...others], notValid));
    expect(judgement.shows).toBe('later');
    expect(findingOf(judgement)).toMatchObject({
      verdict: 'fail',
      message: 'a valid request is refused once as an invalid token is, and answered when sent again',
      exchange: 'later',
      expected: 'the token accepted on every request',
      actual: expect.stringMatching(/^HTTP 401, then HTTP 200/),
    });
  });

  describe('where an outage came between the refusal and the answer', () => {
    const refusal = { status: 401, retry: { kind: 'confirm-refusal' } } as const;
    const outage = { status: 500, retry: { kind: 'confirm-failure' } } as const;
    const entry = replied('later', { json: answeredJson(), before: [refusal, outage] });
    const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds)).toISOString();
    const verdictOf = (wrongAt: number, ms = 10) => {
      const view = viewOf('chat', [answered('control'), entry, ...others], notValid);
      const begun: Record<string, string> = {
        control: at(10),
        later: at(20),
        invalid: at(wrongAt),
        limited: at(1),
      };
      for (const exchange of view.exchanges()) {
        const startedAt = begun[exchange.id] ?? '';
        Object.assign(exchange.timing, { startedAt });
        for (const [nth, attempt] of exchange.attempts.entries())
          Object.assign(attempt, {
            startedAt: new Date(Date.parse(startedAt) + nth).toISOString(),
            ...(exchange.id === 'invalid' ? { ms } : {}),
          });
      }
      return findingOf(judge(check, view)).verdict;
    };

    it('passes behind a wrong request: a lock-out may have ended in it', () => {
      expect(verdictOf(15)).toBe('pass');
    });

    it('passes where a wrong request was still under way when the last answered one was sent', () => {
      expect(verdictOf(8, 4000)).toBe('pass');
    });

    it('fails where nothing wrong was sent since the last answer', () => {
      expect(verdictOf(5)).toBe('fail');
    });
  });

  it('fails where a stream was', () => {
    const entry = replied('later', {
      pieces: events([{ choices: [{ delta: { content: 'hello' } }] }]),
      before: [{ status: 401, retry: { kind: 'confirm-refusal' } }],
    });
    const planned = { ...notValid, later: { stream: true } };
    const judgement = judge(check, viewOf('chat', [answered('control'), entry, ...others], planned));
    expect(judgement.shows).toBe('later');
    expect(findingOf(judgement).verdict).toBe('fail');
  });

  it('passes where one was refused as one of two invalid tokens is: by a filter, or a lock-out', () => {
    const both: Check = { ...check, invalid: ['invalid', 'second'] };
    const planned = { ...notValid, second: { expect: 'refusal' } } as const;
    const entries = [answered('control'), wavering(400), refused('second', 400), ...others];
    expect(foundIn(both, entries, planned).verdict).toBe('pass');
    const alike = [answered('control'), wavering(401), refused('second', 401), ...others];
    expect(foundIn(both, alike, planned).verdict).toBe('fail');
  });

  it.each([
    ['refused with another status', wavering(400)],
    ['refused with the status of a spent limit', wavering(429)],
    ['unavailable', wavering(503, { kind: 'transient', transient: { cause: 'status', status: 503 } })],
  ])('passes where one was %s before it was answered', (_, entry) => {
    expect(foundIn(check, [answered('control'), entry, ...others], notValid).verdict).toBe('pass');
  });

  it('does not blame a gateway that answers 500 to an invalid token, and once to something else', () => {
    const view = viewOf(
      'chat',
      [answered('control'), wavering(500, { kind: 'confirm-failure' }), refused('invalid', 500)],
      notValid,
    );
    expect(findingOf(judge(check, view)).verdict).toBe('pass');
  });

  it('does not blame a gateway whose invalid token looks like its spent limit', () => {
    const same = [refused('invalid', 403), refused('limited', 403)];
    expect(foundIn(check, [answered('control'), wavering(403), ...same], notValid).verdict).toBe('pass');
  });

  it.each(unanswered)('is inconclusive where the control is %s', (_, entry, why) => {
    expect(foundIn(check, [entry('control'), ...others], notValid)).toMatchObject({
      verdict: 'inconclusive',
      message: 'the request that it is compared with is not answered',
      actual: expect.stringMatching(why),
    });
  });
});

function answeredJson(): unknown {
  const { response } = answered('any');
  return JSON.parse(response?.body.text ?? '');
}
