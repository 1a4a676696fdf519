import { describe, expect, it } from 'vitest';
import type { Ending } from '../types/reasons/exchange-reasons.ts';
import {
  fingerprintOf,
  isRateLimit,
  isRefusalWithRetryAfter,
  mayBeRefusal,
  retryAfterMs,
  type Seen,
  transientOf,
} from './transient.ts';

function seen(status: number, headers: Record<string, string> = {}, text = ''): Seen {
  const body = { text, encoding: 'utf8', bytes: text.length, arrivals: [] } as const;
  return { response: { status, headers: Object.entries(headers), body }, ending: { kind: 'complete' } };
}

const html = { 'content-type': 'text/html; charset=UTF-8' };
const denied = 'Access Denied. Reference&#32;&#35;18&#46;5d2d1702';

describe('the page of a bot filter', () => {
  it.each<[number, Record<string, string>, string, string]>([
    [403, { ...html, 'cf-mitigated': 'challenge' }, '<title>Just a moment...</title>', 'cf-mitigated'],
    [200, { ...html, 'cf-mitigated': 'challenge' }, '', 'cf-mitigated'],
    [429, { ...html, 'cf-mitigated': 'challenge', 'retry-after': '1' }, '', 'cf-mitigated'],
    [202, { 'x-amzn-waf-action': 'challenge' }, '', 'x-amzn-waf-action'],
    [405, { ...html, 'x-amzn-waf-action': 'captcha' }, '', 'x-amzn-waf-action'],
    [403, { ...html, server: 'AkamaiGHost' }, denied, 'AkamaiGHost'],
  ])('%i %j proves nothing, and is no rate limit', (status, headers, text, name) => {
    const page = seen(status, headers, text);
    expect(transientOf(page)).toEqual({ cause: 'challenge', sign: name });
    expect(isRateLimit(page)).toBe(false);
  });

  it('is told by no less', () => {
    const json = { 'content-type': 'application/json', 'cf-mitigated': 'challenge' };
    expect(transientOf(seen(403, json, '{"error":"no"}'))).toBe(null);
    expect(transientOf(seen(200, { ...json, 'content-type': 'text/event-stream' }))).toBe(null);
    expect(transientOf(seen(403, { ...html, server: 'cloudflare' }, 'Attention Required!'))).toBe(null);
    expect(transientOf(seen(403, { ...html, server: 'AkamaiGHost' }, 'no'))).toBe(null);
    expect(transientOf(seen(403, { ...html, server: 'nginx' }, denied))).toBe(null);
    expect(transientOf(seen(200, { ...html, server: 'AkamaiGHost' }, denied))).toBe(null);
  });
});

it('a retryable status proves nothing by itself, whatever the reply says', () => {
  for (const [status, headers] of [
    [503, {}],
    [429, {}],
    [529, {}],
    [401, { 'retry-after': '1' }],
  ] as const)
    expect(transientOf(seen(status, headers, '{"error":"refused"}'))).toEqual({ cause: 'status', status });
});

it.each<Ending>([
  { kind: 'cut', detail: 'closed' },
  { kind: 'unreachable', detail: 'ECONNREFUSED' },
  { kind: 'garbled', detail: 'no HTTP' },
  { kind: 'timeout', afterMs: 100 },
  { kind: 'oversize', bound: 'body', limit: 9 },
])('%j proves nothing, whatever had come', (ending) => {
  expect(transientOf({ ...seen(200), ending })).toMatchObject({ cause: ending.kind });
  expect(isRateLimit({ ...seen(429), ending })).toBe(false);
});

it.each<[number, Record<string, string>, boolean, boolean]>([
  [429, {}, true, false],
  [429, { 'retry-after': '1' }, true, false],
  [408, { 'retry-after': '1' }, true, false],
  [403, { 'retry-after': '1' }, true, true],
  [403, {}, false, false],
  [503, { 'retry-after': '1' }, false, false],
])('%i %j is a rate limit: %j, and only by its Retry-After: %j', (status, headers, limit, hinted) => {
  expect([isRateLimit(seen(status, headers)), isRefusalWithRetryAfter(seen(status, headers))]).toEqual([
    limit,
    hinted,
  ]);
});

describe('a retryable reply that may be the refusal of its request', () => {
  const may = (status: number, headers: Record<string, string>, credential: 'right' | 'wrong', due = false) =>
    mayBeRefusal(seen(status, headers), { credential, expect: due ? 'answer' : 'refusal' });

  it.each([408, 425, 429, 502, 503, 520, 529, 530])('has status %i', (status) => {
    expect(may(status, {}, 'right')).toBe(true);
    expect(may(status, {}, 'wrong')).toBe(true);
  });

  it('is no 504, and nothing that can be judged anyway', () => {
    expect([may(504, {}, 'right'), may(504, {}, 'wrong'), may(401, {}, 'wrong')]).toEqual([
      false,
      false,
      false,
    ]);
    expect(may(401, { 'retry-after': '1' }, 'right')).toBe(false);
  });

  it('is a rate limit that names a time only for a wrong credential', () => {
    expect(may(429, { 'retry-after': '1' }, 'right')).toBe(false);
    expect(may(429, { 'retry-after': '1' }, 'wrong')).toBe(true);
    expect(may(503, { 'retry-after': '1' }, 'right')).toBe(true);
  });

  it('is no rate limit where an answer is due, unless its status is that of any refusal', () => {
    expect([may(503, {}, 'right', true), may(429, {}, 'right', true)]).toEqual([true, false]);
    expect(may(403, { 'retry-after': '1' }, 'right', true)).toBe(true);
  });
});

describe('a fingerprint', () => {
  const of = (...reply: Parameters<typeof seen>) => fingerprintOf(seen(...reply));

  it('is the same for replies that differ in ids and dates only', () => {
    expect(of(503, {}, '{"error":"No channel (request id: 2026a1)"}')).toBe(
      of(503, { date: 'x' }, '{"error":"No channel (request id: 2026b2)"}'),
    );
  });

  it('is another for another status or other words, and none where no reply came', () => {
    expect(of(503, {}, 'busy')).not.toBe(of(502, {}, 'busy'));
    expect(of(503, {}, 'busy')).not.toBe(of(503, {}, 'no channel'));
    expect(fingerprintOf({ response: null })).toBe(null);
  });
});

it.each([
  ['120', 120_000],
  ['1.5', 1500],
  ['Wed, 21 Oct 2015 07:28:00 GMT', 10_000],
  ['Wed, 21 Oct 2015 07:27:00 GMT', 0],
  ['soon', null],
  ['-5', null],
  ['', null],
])('Retry-After %j asks for %s ms', (value, ms) => {
  const now = Date.parse('2015-10-21T07:27:50Z');
  expect(retryAfterMs(seen(429, { 'retry-after': value }), now)).toBe(ms);
});

it('a date in Retry-After is read by the clock of the target, where its reply tells that', () => {
  const now = Date.parse('2015-10-21T07:27:50Z');
  const asked = { 'retry-after': 'Wed, 21 Oct 2015 08:28:00 GMT' };
  expect(retryAfterMs(seen(429, { ...asked, date: 'Wed, 21 Oct 2015 08:27:57 GMT' }), now)).toBe(3000);
  expect(retryAfterMs(seen(429, { ...asked, date: 'soon' }), now)).toBe(3_610_000);
});
