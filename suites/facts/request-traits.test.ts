import { describe, expect, it, test } from 'vitest';
import { answered, refused, replied, viewOf } from '../checks/evidence.fixture.ts';
import type { Exchange } from '../types/exchange.ts';
import { mostAtOnce, neighboursOf, turnReader } from './sent-requests.ts';

const at = (exchange: Exchange, seconds: number): Exchange => {
  const startedAt = new Date(Date.UTC(2026, 10, 20, 12) + 1000 * seconds).toISOString();
  const attempts = exchange.attempts.map((attempt) => ({ ...attempt, startedAt }));
  return { ...exchange, attempts, timing: { ...exchange.timing, startedAt } };
};

const lasting = (exchange: Exchange, ms: number): Exchange => ({
  ...exchange,
  attempts: exchange.attempts.map((attempt) => ({ ...attempt, ms })),
});

const streamedBody = (exchange: Exchange): Exchange => ({
  ...exchange,
  request: { ...exchange.request, body: '{"stream":true}' },
});

describe('what was sent before a request of the same caller', () => {
  const planned = { wrong: { expect: 'refusal' } } as const;
  it.each([
    ['a refusal where something wrong was refused', refused('wrong', 400), ['after-refusal']],
    ['nothing where a valid request met an outage', replied('valid', { status: 503, text: 'later' }), []],
    ['a stream where one came', streamedBody(answered('valid')), ['after-stream']],
    [
      'nothing where a stream was asked for and an outage came',
      streamedBody(replied('valid', { status: 503, text: 'later' })),
      [],
    ],
  ])('is %s', (_, before, neighbours) => {
    const view = viewOf('chat', [at(before, 1), at(answered('own'), 2)], planned);
    expect(neighboursOf(turnReader(view)({ id: 'own', attempt: 0 }))).toEqual(neighbours);
  });
});

test.each<[string, number, readonly number[]]>([
  ['none', 0, []],
  ['one', 1, [0, 1000]],
  ['two', 2, [0, 1, 1000]],
  ['one, where the next began in the millisecond in which the last ended,', 1, [0, 100]],
])('of requests %s were under way at once', (_, most, startedAfter) => {
  const sent = startedAfter.map((ms, number) => lasting(at(answered(`request-${number}`), ms / 1000), 100.4));
  expect(mostAtOnce(sent)).toBe(most);
});
