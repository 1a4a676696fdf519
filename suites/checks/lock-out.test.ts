import { describe, expect, it } from 'vitest';
import type { Exchange, Reply } from '../types/exchange.ts';
import { answered, judge, refused, replied, viewOf } from './evidence.fixture.ts';
import { lockOutsIn, isReplyOfLock, type KnownExchange } from '../reading/lock-outs.ts';
import type { Check } from '../types/checks/check.ts';

const at = (seconds: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds)).toISOString();

/** An exchange whose attempts were sent at these seconds, with these statuses. */
function sent(id: string, ...tries: readonly (readonly [second: number, status: number])[]): Exchange {
  const made = replied(id);
  const attempts = tries.map(([second, status]) => ({
    ...(made.attempts[0] as Exchange['attempts'][number]),
    status,
    fingerprint: String(status),
    startedAt: at(second),
  }));
  const [last = [0, 200]] = tries.slice(-1);
  const response = made.response && { ...made.response, status: last[1] };
  return { ...made, response, attempts, timing: { ...made.timing, startedAt: at(last[0]) } };
}

const known = (exchange: Exchange, more: Partial<KnownExchange['facts']> = {}): KnownExchange => ({
  exchange,
  facts: {
    kind: 'k',
    expect: 'answer',
    credential: 'right',
    isInvalidToken: false,
    isFollowing: false,
    ...more,
  },
  isAnswered: exchange.response?.status === 200,
});

const login = (id: string, second: number, status = 401) =>
  known(sent(id, [second, status]), { expect: 'refusal', credential: 'wrong' });

const before = known(sent('before', [1, 200]));
const locked = known(sent('locked', [4, 403], [5, 403], [6, 200]));

describe('a lock-out', () => {
  it('is a valid request refused for a while after a refused login', () => {
    expect(lockOutsIn([before, login('wrong', 3), locked])).toMatchObject([
      {
        status: 403,
        exchange: 'locked',
        fromMs: Date.parse(at(4)),
        untilMs: Date.parse(at(6)),
      },
    ]);
  });

  it('is a valid request refused once in the words that a wrong request of the caller got, and none was answered between', () => {
    const once = known(sent('once', [5, 403], [6, 200]));
    const bad = known(sent('bad', [3, 403]), { expect: 'refusal' });
    expect(lockOutsIn([before, login('wrong', 2), bad, once])).toMatchObject([{ exchange: 'once' }]);
    const between = known(sent('between', [4, 200]));
    expect(lockOutsIn([before, login('wrong', 2), bad, between, once])).toEqual([]);
  });

  it('goes on in an outage that comes before its end', () => {
    const outlasted = known(sent('outlasted', [4, 403], [5, 403], [6, 500], [7, 200]));
    const [first] = lockOutsIn([before, login('wrong', 3), outlasted]);
    expect(first).toMatchObject({ status: 403, fromMs: Date.parse(at(4)), untilMs: Date.parse(at(7)) });
  });

  it('is none where all that was refused names an earlier reply, for which it may be refused', () => {
    const following = { isFollowing: true };
    const also = (more: Partial<KnownExchange['facts']>) => known(sent('also', [5, 403], [6, 200]), more);
    const chained = known(locked.exchange, following);
    expect(lockOutsIn([before, login('wrong', 3), chained, also(following)])).toEqual([]);
    expect(lockOutsIn([before, login('wrong', 3), chained, also({})])).not.toEqual([]);
  });

  it('is none where the page of a bot filter came', () => {
    const page = { 'cf-mitigated': 'challenge', 'content-type': 'text/html' };
    const attempts = locked.exchange.attempts.map((attempt) => ({
      ...attempt,
      response: { ...(locked.exchange.response as Reply), status: 403, headers: Object.entries(page) },
    }));
    const filtered = { ...locked, exchange: { ...locked.exchange, attempts } };
    expect(lockOutsIn([before, login('wrong', 3), filtered])).toEqual([]);
  });

  it('is not shown by a wrong request that is refused in other words in the end', () => {
    const wrong = known(sent('bad', [4, 403], [5, 403], [6, 400]), { expect: 'refusal' });
    const also = known(sent('also', [5, 403], [6, 400]), { expect: 'refusal' });
    expect(lockOutsIn([before, login('wrong', 3), wrong, also, known(sent('later', [7, 200]))])).toEqual([]);
  });

  it.each([
    ['no login was refused before', [before, locked]],
    ['nothing of the caller was answered before', [login('wrong', 3), locked]],
    ['it came once', [before, login('wrong', 3), known(sent('once', [4, 403], [5, 200]))]],
    [
      'another was answered meanwhile',
      [
        before,
        login('wrong', 3),
        known(sent('long', [4, 403], [6, 403], [7, 200])),
        known(sent('other', [5, 200])),
      ],
    ],
    [
      'the same overload came before',
      [known(sent('busy', [0, 503], [1, 200])), login('wrong', 3), known(sent('late', [4, 503], [5, 200]))],
    ],
  ])('is none where %s', (_, exchanges) => {
    expect(lockOutsIn(exchanges)).toEqual([]);
  });

  it('may be told by the status of any refusal, which a wrong request then gets from it as well', () => {
    const told = known(sent('locked', [4, 400], [6, 400], [8, 200]));
    const wrong = (status: number) => known(sent('bad', [5, status]), { expect: 'refusal' });
    expect(lockOutsIn([before, login('wrong', 3), told, wrong(400)])).toMatchObject([{ status: 400 }]);
    expect(lockOutsIn([before, told])).toEqual([]);
  });

  it('is told on another endpoint by the same status, in the words that a valid request got there, where one did', () => {
    const path = '/elsewhere';
    const elsewhere = sent('elsewhere', [4, 403], [6, 200]);
    const url = `http://gateway.test${path}`;
    const own = { ...elsewhere, request: { ...elsewhere.request, url } };
    const reply = { id: '3', startedAt: at(3), ms: 10, status: 403, path, model: 'any', token: null };
    const sentAt = [{ id: 'wrong', from: Date.parse(at(2)), to: Date.parse(at(2)), isLimited: false }];
    const isOfLock = (fingerprint: string, shown: readonly KnownExchange[]): boolean => {
      const locks = lockOutsIn([before, login('wrong', 2, 403), locked, ...shown]);
      const lock = locks.find(({ exchange }) => exchange === 'locked');
      return lock !== undefined && isReplyOfLock(lock, { ...reply, fingerprint }, sentAt, new Map());
    };
    expect(isOfLock('other words', [])).toBe(true);
    expect(isOfLock('other words', [known(own)])).toBe(false);
    expect(isOfLock('403', [known(own)])).toBe(true);
  });

  it('may have refused a wrong request in the same words, but not the first one', () => {
    const wrong = [login('2', 2, 403), login('3', 3, 403)];
    const [lock] = lockOutsIn([before, ...wrong, locked]);
    const sentAt = [2, 3].map((second) => ({
      id: String(second),
      ...{ from: Date.parse(at(second)), to: Date.parse(at(second)), isLimited: false },
    }));
    const isOfLock = (second: number, { fingerprint = '403', ms = 10 } = {}) =>
      lock &&
      isReplyOfLock(
        lock,
        {
          id: String(second),
          fingerprint,
          startedAt: at(second),
          ms,
          status: 401,
          path: lock.path,
          model: lock.model,
          token: null,
        },
        sentAt,
        new Map(),
      );
    expect([isOfLock(2), isOfLock(3), isOfLock(3, { fingerprint: '401' }), isOfLock(9)]).toEqual([
      false,
      true,
      false,
      false,
    ]);
    // Behind an answer that it would have covered, it had not begun.
    const token = String(lock?.token);
    const ofCaller = { id: '3', fingerprint: '403', startedAt: at(3), ms: 10, status: 403, token };
    const isOfLockBehind = (answer: { readonly path: string; readonly model: string }) =>
      lock &&
      isReplyOfLock(
        lock,
        { ...ofCaller, path: lock.path, model: 'other' },
        sentAt,
        new Map([[token, [{ ...answer, ms: Date.parse(at(3)) + 500 }]]]),
      );
    expect([String(lock?.path), '/elsewhere'].map((path) => isOfLockBehind({ path, model: 'any' }))).toEqual([
      false,
      true,
    ]);
    // Of two under way at once, the other may have arrived first.
    expect(isOfLock(2, { ms: 1500 })).toBe(true);
  });
});

describe('lock-out', () => {
  const check: Check = { kind: 'lock-out', requirement: 'r', probes: ['a'] };

  it('writes down that none was seen', () => {
    const { observations } = judge(check, viewOf('chat', [answered('a')]));
    expect(observations).toMatchObject([{ requirement: 'r', value: 'no lock-out seen' }]);
  });

  it('decides nothing where no control is answered', () => {
    expect(judge(check, viewOf('chat', [refused('a')])).findings).toMatchObject([
      { verdict: 'inconclusive' },
    ]);
  });
});
