import { expect, it } from 'vitest';
import { replied, result, viewOf } from '../evidence.fixture.ts';
import { fail, failureIn } from './findings.ts';

const sent = (id: string, body: object) => {
  const exchange = replied(id, { json: result.chat('hello') });
  return { ...exchange, request: { ...exchange.request, body: JSON.stringify(body) } };
};

const missing = (field: string) => fail({ kind: 'field-missing', field, expected: 'string' }, 'nothing');
const reply = (id: string, aspect: ReturnType<typeof missing> | 'kept') => ({ id, attempt: 0, aspect });

it('a failure is shown by the shortest request that got it, with the fewest parameters', () => {
  const view = viewOf('chat', [
    sent('long', { model: 'm', messages: 'a long prompt' }),
    sent('short', { model: 'm', messages: 'hi' }),
    sent('more', { model: 'm', n: 1, top_p: 1 }),
    sent('kept', {}),
  ]);
  const all = [reply('more', missing('id')), reply('long', missing('id')), reply('short', missing('id'))];
  expect(failureIn(view, [...all, reply('kept', 'kept')])).toMatchObject({
    exchange: 'short',
    replies: { broken: [{ id: 'more' }, { id: 'long' }, { id: 'short' }], kept: [{ id: 'kept' }] },
  });
});

it('of several kinds of failure it is that of most replies, and the others don’t count as it', () => {
  const view = viewOf(
    'chat',
    ['a', 'b', 'c'].map((id) => sent(id, { id: id === 'a' ? '' : 'longer' })),
  );
  const found = failureIn(view, [
    reply('a', missing('usage')),
    reply('b', missing('id')),
    reply('c', missing('id')),
  ]);
  expect(found).toMatchObject({
    reason: { field: 'id' },
    exchange: 'b',
    replies: { broken: [{ id: 'b' }, { id: 'c' }], kept: [{ id: 'a' }] },
  });
});

it('there is none where every reply is kept', () => {
  expect(failureIn(viewOf('chat', [sent('a', {})]), [reply('a', 'kept')])).toBeUndefined();
});
