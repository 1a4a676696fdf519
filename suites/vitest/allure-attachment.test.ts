import { expect, test } from 'vitest';
import type { Exchange } from '../types/exchange.ts';
import { attachmentOf } from './allure-files.ts';

const exchange = (id: string, text: string, more: Partial<Exchange> = {}): Exchange => ({
  id,
  request: { method: 'POST', url: 'http://127.0.0.1/v1/responses', headers: {}, body: '{}' },
  response: { status: 200, headers: [], body: { text, encoding: 'utf8', bytes: text.length, arrivals: [] } },
  ending: { kind: 'complete' },
  timing: { startedAt: '2026-11-21T09:00:00.000Z', headersMs: 1, endMs: 2, stallMs: 0 },
  attempts: [],
  ...more,
});
const finding = { requirement: 'r', verdict: 'fail', message: 'm', expected: 'e', actual: 'a' } as const;
const read = (text: string | null) => JSON.parse(text ?? 'null') as unknown;

test('short exchanges are attached whole, and none is no attachment', () => {
  const both = [exchange('a', 'hello'), exchange('b', 'hi', { response: null })];
  expect(read(attachmentOf({ findings: [finding] }, both))).toEqual(both);
  expect(attachmentOf({ findings: [finding] }, [])).toBe(null);
});

test('where nothing was found nothing is attached', () => {
  expect(attachmentOf({ findings: [] }, [exchange('a', 'hello')])).toBe(null);
});

test('of long ones the beginning of what a finding names is attached first, with the ids of all', () => {
  const ids = ['a', 'b', 'c', 'd', 'e'];
  const long = ids.map((id) => exchange(id, `${id}${'x'.repeat(5_000)}`));
  const text = attachmentOf({ findings: [{ ...finding, exchange: 'd' }] }, long);
  expect(text?.length).toBeLessThan(16_000);
  const told = read(text) as { ids: string[]; note: string; exchanges: Exchange[] };
  expect(told.ids).toEqual(ids);
  expect(told.note).toContain('evidence.jsonl');
  expect(told.exchanges.map(({ id }) => id)).toEqual(['d', 'a', 'b']);
  expect(told.exchanges[0]?.response?.body.text).toBe(`d${'x'.repeat(1_499)}`);
});

test('where even that is too long the ids alone are attached', () => {
  const request = { method: 'POST', url: 'http://127.0.0.1', headers: {}, body: 'y'.repeat(20_000) };
  const told = read(attachmentOf({ findings: [finding] }, [exchange('a', '', { request })]));
  expect(told).toEqual({ ids: ['a'], note: expect.any(String) });
});
