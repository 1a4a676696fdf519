import { describe, expect, it } from 'vitest';
import type { Ending } from '../model/exchange.ts';
import { isHinted, isRateLimit, type Seen, takenAsRefusal, transientOf } from './transient.ts';

function seen(status: number, headers: Record<string, string> = {}, text = '', detail?: string): Seen {
  const body = { text, encoding: 'utf8', bytes: text.length, arrivals: [] } as const;
  const ending: Ending = detail === undefined ? { kind: 'complete' } : { kind: 'complete', detail };
  return { response: { status, headers: Object.entries(headers), body }, ending };
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
    const why = `a bot filter answered, not the gateway (${name})`;
    for (const page of [seen(status, headers, text), seen(status, headers, text, takenAsRefusal('so'))]) {
      expect(transientOf(page)).toEqual({ cause: 'challenge', why });
      expect(isRateLimit(page)).toBe(false);
    }
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

it('a reply that asks to come again proves nothing, unless it was taken as a refusal', () => {
  for (const reply of [seen(503), seen(429), seen(529), seen(401, { 'retry-after': '1' })]) {
    expect(transientOf(reply)).toMatchObject({ cause: 'status' });
    expect(
      transientOf({ ...reply, ending: { kind: 'complete', detail: 'Retry-After asks for 90 s' } }),
    ).toMatchObject({ cause: 'status' });
    expect(transientOf({ ...reply, ending: { kind: 'complete', detail: takenAsRefusal('so') } })).toBe(null);
  }
  expect(
    transientOf({ response: null, ending: { kind: 'cut', detail: takenAsRefusal('so') } }),
  ).toMatchObject({
    cause: 'cut',
  });
});

it.each<[number, Record<string, string>, boolean, boolean]>([
  [429, {}, true, false],
  [429, { 'retry-after': '1' }, true, false],
  [408, { 'retry-after': '1' }, true, false],
  [403, { 'retry-after': '1' }, true, true],
  [403, {}, false, false],
  [503, { 'retry-after': '1' }, false, false],
])('%i %j is a rate limit: %j, and only by its Retry-After: %j', (status, headers, limit, hinted) => {
  expect([isRateLimit(seen(status, headers)), isHinted(seen(status, headers))]).toEqual([limit, hinted]);
});
