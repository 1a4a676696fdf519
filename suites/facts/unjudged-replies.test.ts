import { describe, expect, it } from 'vitest';
import type { Exchange } from '../types/exchange.ts';
import { answered, replied, silent, viewOf } from '../checks/evidence.fixture.ts';
import { unjudgedReplies, unreachedSince } from './unjudged-replies.ts';

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

describe('from when on the target is not reached', () => {
  const at = (second: number, entry: Exchange, path = '/v1/messages'): Exchange => ({
    ...entry,
    request: { ...entry.request, url: path },
    timing: { ...entry.timing, startedAt: `2026-11-20T12:00:0${second}.000Z` },
  });
  const replies = [at(2, answered('one')), at(1, answered('two'))];

  it('is when the last request was sent that got a reply, where later ones to several endpoints got none', () => {
    const later = [at(8, closed('a')), at(9, closed('b'), '/v1/responses')];
    expect(unreachedSince(viewOf('chat', [...replies, ...later]))).toBe('2026-11-20T12:00:02.000Z');
  });

  it('is not known where only one endpoint was asked since then', () => {
    expect(unreachedSince(viewOf('chat', [...replies, at(9, closed('a'))]))).toBeUndefined();
  });

  it('is the beginning where none got one', () => {
    expect(unreachedSince(viewOf('chat', [closed('a')]))).toBe('');
  });
});
