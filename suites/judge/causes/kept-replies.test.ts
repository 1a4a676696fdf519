import { expect, test } from 'vitest';
import { answered, refused, viewOf } from '../../checks/evidence.fixture.ts';
import type { Exchange } from '../../types/exchange.ts';
import { keptReplies } from './kept-replies.ts';

/** A chat completion that says a text, to a request with a body of its own, or with that of another one. */
function sent(id: string, second: number, text: string, body = id): Exchange {
  const exchange = text === '' ? refused(id, 400) : answered(id, 'chat', text);
  const startedAt = new Date(Date.UTC(2026, 10, 30, 12, 0, second)).toISOString();
  const timing = { ...exchange.timing, startedAt };
  return { ...exchange, timing, request: { ...exchange.request, body } };
}

const told = (shown: readonly string[], ...exchanges: readonly Exchange[]): string =>
  keptReplies(viewOf('chat', exchanges))(shown);

test('replies that other requests got before are counted, and told to be those of a cache maybe', () => {
  const given = [sent('first', 1, 'hello'), sent('second', 2, 'hello'), sent('third', 3, 'hello')];
  expect(told(['second', 'third'], ...given, sent('own', 4, 'other'))).toBe(
    'Of the replies that show it, 2 came, byte for byte, for another request before: a cache may have given them.',
  );
  expect(told(['first', 'second'], ...given)).toMatch(/^Of the replies that show it, 1 came.* given it\.$/);
});

test.each([
  ['the first of its kind', sent('other', 9, 'hello'), sent('shown', 2, 'hello')],
  ['a reply of its own', sent('other', 1, 'hello'), sent('shown', 2, 'other')],
  ['given to the same request before', sent('other', 1, 'hello', 'same'), sent('shown', 2, 'hello', 'same')],
  ['a refusal', sent('other', 1, ''), sent('shown', 2, '')],
])('nothing is told of %s', (_, other, shown) => {
  expect(told(['shown'], other, shown)).toBe('');
});
