import { expect, test } from 'vitest';
import { answered, replied, silent } from '../checks/evidence.fixture.ts';
import { shorten } from '../types/exchange.ts';

const long = (text: string) => replied('a', { text });

test('a short exchange stays as it is', () => {
  const exchange = answered('a');
  expect(shorten(exchange)).toBe(exchange);
});

test('an exchange without a reply stays as it is', () => {
  const exchange = silent('a', { kind: 'timeout', afterMs: 100 });
  expect(shorten(exchange)).toBe(exchange);
});

test('a long body keeps its beginning, and its length in bytes', () => {
  const exchange = long('ž'.repeat(50_000));
  const { shortened, response } = shorten(exchange);
  expect(shortened).toBe(true);
  expect(response?.body.text).toBe('ž'.repeat(16_384));
  expect(response?.body.bytes).toBe(100_000);
  expect(exchange.response?.body.text).toHaveLength(50_000);
});

test('no half of a character is left at the end', () => {
  const text = shorten(long(`x${'🦦'.repeat(10_000)}`)).response?.body.text ?? '';
  expect(text).toHaveLength(16_383);
  expect(text.endsWith('🦦')).toBe(true);
});

test('of many arrivals some are kept, the first and the last among them', () => {
  const pieces = Array.from({ length: 5000 }, (_, index): [string, number] => ['x', index]);
  const arrivals = shorten(replied('a', { pieces })).response?.body.arrivals ?? [];
  expect(arrivals.length).toBeGreaterThan(100);
  expect(arrivals.length).toBeLessThanOrEqual(401);
  expect(arrivals[0]).toEqual([1, 0]);
  expect(arrivals.at(-1)).toEqual([5000, 4999]);
});
