import { expect, test } from 'vitest';
import { dependencies } from '../plan/dependencies.ts';
import { planned } from '../plan/planned.fixture.ts';
import { chainHeights } from './run-order.ts';

const { requests } = planned();
const heights = chainHeights(requests);
const heightOf = (id: string): number => heights.get(id) ?? Number.NaN;

test('what others wait for is at least as high as they are', () => {
  for (const request of requests) {
    for (const id of dependencies(request).filter((each) => heights.has(each)))
      expect(heightOf(id), `${id} before ${request.id}`).toBeGreaterThanOrEqual(heightOf(request.id));
  }
});

test('what begins a chain is higher than what continues it, and what nothing waits for is at the ground', () => {
  expect(heightOf('responses.combination.8')).toBe(heightOf('responses.combination.9') + 1);
  expect(heightOf('cell.general.responses.default')).toBeGreaterThan(heightOf('responses.combination.8'));
  expect(heightOf('messages.broken-off.next')).toBe(0);
});

test('what is sent only where it is necessary makes no chain longer', () => {
  expect(heightOf('messages.stream.long.1')).toBe(heightOf('messages.stream.long.5'));
});
