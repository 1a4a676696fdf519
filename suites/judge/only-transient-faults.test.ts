import { expect, it } from 'vitest';
import { replied, unsent } from '../checks/evidence.fixture.ts';
import type { Exchange, Unsent } from '../types/exchange.ts';
import { onlyTransientFaults } from './only-transient-faults.ts';

const evidence = (...entries: readonly (Exchange | Unsent)[]) =>
  new Map(entries.map((entry) => [entry.id, entry]));
const busy = (id: string, status = 503) => replied(id, { status, json: {} });

it('tells what came most often where nothing can be judged', () => {
  expect(onlyTransientFaults(evidence(busy('a', 429), busy('b'), unsent('c'), busy('d')))).toBe(
    '2 of 3 exchanges: HTTP 503, which may pass',
  );
});

it('has nothing to tell where one reply can be judged, or nothing was sent', () => {
  expect(onlyTransientFaults(evidence(busy('a'), replied('b', { status: 404, json: {} })))).toBe(undefined);
  expect(onlyTransientFaults(evidence(unsent('a')))).toBe(undefined);
});
