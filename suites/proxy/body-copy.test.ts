import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { createGatherer, piecesOf, textOf } from './observe.ts';

it('a body comes out of a gatherer piece by piece as it came in, over all pages, and after it was handed over', () => {
  const pieces = [0, 1, 4094, 3, 70_000, 200_000, 1].map((length) => randomBytes(length));
  const gatherer = createGatherer();
  for (const [at, piece] of pieces.entries()) gatherer.add(piece, at * 1.5);
  const { pages, ...rest } = gatherer.gathered();
  const there = structuredClone({ pages, ...rest }, { transfer: pages.map(({ buffer }) => buffer) });
  expect(pages.every(({ length }) => length === 0)).toBe(true);
  const found = piecesOf(there);
  expect(found.map(([, ms]) => ms)).toEqual([0, 1.5, 3, 4.5, 6, 7.5, 9]);
  expect(found.every(([bytes], at) => bytes.equals(pieces[at] ?? Buffer.alloc(0)))).toBe(true);
});

it('the bytes that were added may change later, for they are another’s', () => {
  const [gatherer, bytes] = [createGatherer(), Buffer.from('as it came')];
  gatherer.add(bytes, 0);
  bytes.fill(0);
  expect(textOf(gatherer.gathered())).toBe('as it came');
});

it('of many arrivals some thousand are kept, the last among them, and all bytes', () => {
  const gatherer = createGatherer();
  for (let at = 0; at < 10_000; at += 1) gatherer.add(Buffer.from('ab'), at);
  const body = gatherer.gathered();
  expect(body.arrivals.length).toBeLessThanOrEqual(2_000);
  expect(body.arrivals.at(-1)).toEqual([20_000, 9_999]);
  expect(Buffer.concat(piecesOf(body).map(([bytes]) => bytes)).toString()).toBe('ab'.repeat(10_000));
});
