import { describe, expect, it } from 'vitest';
import type { Attempt, Exchange } from '../types/exchange.ts';
import { createReplyHistory, sameReplies } from './reply-history.ts';
import type { RequestFacts } from './request-facts.ts';
import { fingerprintOf } from './transient.ts';

type Brief = readonly [status: number, text?: string, control?: string];

const startedAt = (second: number): string => `2026-11-21T09:00:0${second}.000Z`;
const replyOf = (status: number, text: string, headers: Record<string, string>) => ({
  status,
  headers: Object.entries(headers),
  body: { text, encoding: 'utf8', bytes: text.length, arrivals: [] } as const,
});

/** An exchange whose attempts got these replies; a control was sent behind those that name one. */
function exchange(
  replies: readonly Brief[],
  more: {
    readonly headers?: Record<string, string>;
    readonly second?: number;
    readonly repeats?: string;
  } = {},
): Exchange {
  const { headers = {}, second = 1, repeats } = more;
  const responses = replies.map(([status, text = 'no channel']) => replyOf(status, text, headers));
  const attempts = replies.map(([status, , control], index): Attempt => {
    const isLast = index === replies.length - 1;
    const fingerprint = fingerprintOf({ response: responses[index] ?? null });
    const retry = { kind: 'transient', transient: { cause: 'status', status } } as const;
    const judged = { kind: 'confirm-failure' } as const;
    return {
      ...{ status, ending: { kind: 'complete' }, fingerprint, bytes: 2, ms: 1, waitedMs: 0 },
      startedAt: startedAt(second),
      ...(isLast ? {} : { retry: status === 500 ? judged : retry }),
      ...(control === undefined ? {} : { control }),
    };
  });
  return {
    id: 'x',
    ...(repeats === undefined ? {} : { repeats }),
    request: { method: 'POST', url: 'http://gateway.test', headers: {}, body: '{}' },
    response: responses.at(-1) ?? null,
    ending: { kind: 'complete' },
    timing: { startedAt: startedAt(second), headersMs: 1, endMs: 1, stallMs: 0 },
    attempts,
  };
}

const facts = (more: Partial<RequestFacts> = {}): RequestFacts => ({
  kind: 'unknown model on chat',
  expect: 'refusal',
  credential: 'right',
  isInvalidToken: false,
  isFollowing: false,
  ...more,
});
const wrong = facts({ kind: 'wrong credential on chat', credential: 'wrong', isInvalidToken: true });

const history = (answered: readonly string[] = ['control']) =>
  createReplyHistory((id) => answered.includes(id), 1e-6);

const repeated: readonly Brief[] = [[503], [503], [503, 'no channel', 'control'], [503]];

describe('a retryable reply is a refusal', () => {
  it('once it came four times, with an answered control before the last', () => {
    expect(history().isRefusal(exchange(repeated), facts())).toBe(true);
    expect(history().isRefusal(exchange(repeated.slice(1)), facts())).toBe(false);
    expect(history([]).isRefusal(exchange(repeated), facts())).toBe(false);
    expect(history().isRefusal(exchange([[503], [503], [503], [503]]), facts())).toBe(false);
  });

  it('not where the control was sent before the reply came first, or the replies differ', () => {
    const early: readonly Brief[] = [[502, 'busy', 'control'], [503], [503], [503], [503]];
    expect(history().isRefusal(exchange(early), facts())).toBe(false);
    const mixed: readonly Brief[] = [[503], [503, 'other words'], [503, 'no channel', 'control'], [503]];
    expect(history().isRefusal(exchange(mixed), facts())).toBe(false);
  });

  it('also with other transient replies between, and not across one that can be judged', () => {
    const between: readonly Brief[] = [[503], [502, 'busy'], ...repeated.slice(1)];
    expect(history().isRefusal(exchange(between), facts())).toBe(true);
    const judged: readonly Brief[] = [[503], [500, 'failed'], ...repeated.slice(1)];
    expect(history().isRefusal(exchange(judged), facts())).toBe(false);
  });

  it('where only Retry-After makes it retryable, once it came twice', () => {
    const headers = { 'retry-after': '1' };
    expect(history().isRefusal(exchange([[401], [401]], { headers }), facts())).toBe(true);
    expect(history().isRefusal(exchange([[401]], { headers }), facts())).toBe(false);
    expect(history().isRefusal(exchange([[401], [401]], { headers }), facts({ expect: 'answer' }))).toBe(
      false,
    );
  });

  it('at once, where requests of its kind are known to get it', () => {
    const known = history();
    known.note(exchange(repeated), facts());
    expect(known.isRefusal(exchange([[503]]), facts())).toBe(true);
    expect(known.isKnownRefusal(exchange([[503]]).attempts[0]?.fingerprint ?? null, facts())).toBe(true);
    expect(known.isKnownStatus(503)).toBe(true);
    expect(known.isRefusal(exchange([[503]]), facts({ kind: 'another kind' }))).toBe(false);
    expect(known.isRefusal(exchange([[503]]), facts({ expect: 'answer' }))).toBe(false);
    expect(known.isRefusal(exchange([[503, 'other words']]), facts())).toBe(false);
  });

  it('never where another exchange got the like and then something else', () => {
    const known = history();
    known.note(exchange([[503], [200, '{}']]), facts({ expect: 'answer' }));
    expect(known.hasPassed(exchange(repeated).attempts[0]?.fingerprint ?? null, facts())).toBe(true);
    expect(known.isRefusal(exchange(repeated), facts())).toBe(false);
  });

  it('never where a control got the like', () => {
    const known = history();
    known.note(exchange([[503]], { repeats: 'plain' }), facts({ expect: 'answer' }));
    expect(known.isRefusal(exchange(repeated), facts())).toBe(false);
  });
});

describe('a spent limit', () => {
  const limited = facts({ kind: 'spent token', expect: 'limited', credential: 'spent' });

  it('explains the like of its reply for every other request', () => {
    const known = history();
    known.note(exchange([[429]]), limited);
    expect(known.isRefusal(exchange([[429], [429], [429, 'no channel', 'control'], [429]]), facts())).toBe(
      false,
    );
  });

  it('is told by no other refusal with Retry-After where it has a status of its own', () => {
    const headers = { 'retry-after': '1' };
    const refusal = exchange([[404], [404]], { headers });
    const own = history();
    own.note(refusal, limited);
    expect(own.isRefusal(refusal, facts())).toBe(false);
    const ended = history();
    ended.note(exchange([[429]]), limited);
    ended.note(refusal, limited);
    expect(ended.isRefusal(refusal, facts())).toBe(true);
  });

  it('may be told by a status that is no limit, once it repeats', () => {
    expect(history().isRefusal(exchange(repeated), limited)).toBe(true);
  });

  it('shows nothing by a status that can be judged', () => {
    const known = history();
    known.note(exchange([[500]]), limited);
    expect(known.hasPassed(exchange([[500]]).attempts[0]?.fingerprint ?? null, facts())).toBe(false);
  });
});

describe('a wrong credential', () => {
  const limit: readonly Brief[] = [[429], [429], [429, 'no channel', 'control'], [429]];
  const headers = { 'retry-after': '30' };

  it('may be refused as a rate limit is, with a time to wait or without', () => {
    expect(history().isRefusal(exchange(limit), wrong)).toBe(true);
    expect(history().isRefusal(exchange(limit, { headers }), wrong)).toBe(true);
    expect(history().isRefusal(exchange(limit, { headers }), facts())).toBe(false);
  });

  it('is refused also where only another wrong one got past such a limit', () => {
    const known = history();
    known.note(exchange([[429], [401, 'invalid token']]), wrong);
    expect(known.isRefusal(exchange(limit), wrong)).toBe(true);
    known.note(exchange([[429], [200, '{}']]), facts({ expect: 'answer' }));
    expect(known.isRefusal(exchange(limit), wrong)).toBe(false);
  });

  it('may be limited for failed logins where an invalid token was refused in other words before', () => {
    const known = history();
    known.note(exchange([[401, 'invalid token']], { second: 1 }), wrong);
    const later = exchange(limit, { second: 2 });
    expect(known.mayBeLoginLimit(later, wrong)).toBe(true);
    expect(known.isRefusal(later, wrong)).toBe(true);
    expect(known.mayBeLoginLimit(exchange(limit, { second: 0 }), wrong)).toBe(false);
    expect(known.mayBeLoginLimit(later, facts())).toBe(false);
    expect(known.mayBeLoginLimit(exchange([[401]], { second: 2 }), wrong)).toBe(false);
    expect(known.mayBeLoginLimit(exchange([[401]], { second: 2, headers }), wrong)).toBe(false);
    const inOneExchange = history();
    inOneExchange.note(exchange([[429, 'invalid token'], ...limit], { second: 1 }), wrong);
    expect(inOneExchange.mayBeLoginLimit(later, wrong)).toBe(true);
    // What a valid request got past tells nothing of logins.
    inOneExchange.note(
      exchange([
        [429, 'invalid token'],
        [200, '{}'],
      ]),
      facts({ expect: 'answer' }),
    );
    expect(inOneExchange.mayBeLoginLimit(later, wrong)).toBe(false);
    const refusedByOk = history();
    refusedByOk.note(exchange([[200, 'invalid token']], { second: 1 }), wrong);
    expect(refusedByOk.mayBeLoginLimit(later, wrong)).toBe(true);
  });
});

describe('the same replies', () => {
  it('are those like the last one, since the last that could be judged', () => {
    const { attempts } = exchange([[503], [500, 'failed'], [503], [502, 'busy'], [503]]);
    expect(sameReplies(attempts)).toEqual([attempts[2], attempts[4]]);
  });

  it('are none where no reply came, or it broke off', () => {
    const [attempt] = exchange([[503]]).attempts;
    if (attempt === undefined) throw new Error('the exchange has an attempt');
    expect(sameReplies([])).toEqual([]);
    expect(sameReplies([{ ...attempt, fingerprint: null }])).toEqual([]);
    expect(sameReplies([{ ...attempt, ending: { kind: 'cut', detail: 'closed' } }])).toEqual([]);
  });
});
