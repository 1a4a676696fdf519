import { describe, expect, it } from 'vitest';
import { answered, replied, silent, viewOf } from '../checks/evidence.fixture.ts';
import { lastReached, unjudgedReplies } from './unjudged-replies.ts';

const limited = (id: string) => replied(id, { status: 429, json: { error: { code: 'slow-down' } } });
const busy = (id: string) => replied(id, { status: 503, text: 'later' });
const slow = (id: string) => silent(id, { kind: 'timeout', afterMs: 100 });
const closed = (id: string) => silent(id, { kind: 'unreachable', detail: 'closed' });

const view = viewOf(
  'chat',
  [answered('a'), limited('b'), busy('c'), busy('d'), closed('e'), slow('f'), answered('other', 'messages')],
  { other: { protocol: 'messages' } },
);

describe('replies that can not be judged', () => {
  it.each([
    ['limit-hit', ['b'], 'HTTP 429, which may pass'],
    ['no-answer-in-time', ['f'], 'no complete reply within 100 ms'],
    ['no-usable-reply', ['c', 'd', 'e'], 'HTTP 503, which may pass'],
  ] as const)('%s: those of the endpoint, and what came most often', (kind, exchanges, most) => {
    expect(unjudgedReplies(view, 'chat', kind)).toEqual({
      kind,
      protocol: 'chat',
      tally: { seen: exchanges.length, of: 6 },
      most,
      exchanges,
    });
  });

  it('are none of another endpoint', () => {
    expect(unjudgedReplies(view, 'messages', 'limit-hit').tally).toEqual({ seen: 0, of: 1 });
  });
});

describe('when the target was last reached', () => {
  const at = (id: string, startedAt: string) => ({
    ...answered(id),
    timing: { ...answered(id).timing, startedAt },
  });

  it('is when the last request was sent that got a reply', () => {
    const late = {
      ...closed('late'),
      timing: { ...closed('late').timing, startedAt: '2026-11-20T12:00:09.000Z' },
    };
    const entries = [at('one', '2026-11-20T12:00:02.000Z'), at('two', '2026-11-20T12:00:01.000Z'), late];
    expect(lastReached(viewOf('chat', entries))).toBe('2026-11-20T12:00:02.000Z');
  });

  it('is never where none got one', () => {
    expect(lastReached(viewOf('chat', [closed('a')]))).toBe('');
  });
});
