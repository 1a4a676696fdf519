import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../types/exchange.ts';
import { replied, silent } from '../evidence.fixture.ts';
import { excerpt, describeReply, describeValue } from './findings.ts';

describe('an excerpt', () => {
  it('is the beginning on one line, and says where it is cut', () => {
    expect(excerpt('  two\r\n\t lines ')).toBe('two lines');
    expect(excerpt('x '.repeat(80))).toBe('x '.repeat(80).trim());
    expect(excerpt('x y'.repeat(54))).toBe(`${'x y'.repeat(54).slice(0, 160)}…`);
    expect(excerpt('abcdef', 3)).toBe('abc…');
  });

  it('cuts an id short that would leave no room for anything else, and no other word', () => {
    const id = `resp_${'a1B2'.repeat(100)}`;
    expect(excerpt(`{"id":"${id}","output":[]}`)).toBe(`{"id":"${id.slice(0, 24)}…","output":[]}`);
    expect(excerpt('x'.repeat(71))).toBe('x'.repeat(71));
    expect(excerpt('x'.repeat(72))).toBe(`${'x'.repeat(24)}…`);
  });
});

describe('a reply in one line', () => {
  const binary = (exchange: Exchange): Exchange => {
    const { response } = exchange;
    if (response === null) return exchange;
    return { ...exchange, response: { ...response, body: { ...response.body, encoding: 'base64' } } };
  };
  const bare = (exchange: Exchange): Exchange => ({
    ...exchange,
    response: exchange.response && { ...exchange.response, headers: [['server', 'x']] },
  });

  it.each([
    [
      'status, type and beginning',
      replied('a', { text: 'no such key' }),
      'HTTP 200, text/plain, no such key',
    ],
    ['that there is no body', replied('a', { status: 204, text: '' }), 'HTTP 204, text/plain, no body'],
    ['that there is no content type', bare(replied('a', { text: 'x' })), 'HTTP 200, no content type, x'],
    ['that the body is no text', binary(replied('a', { text: 'AAEC' })), 'HTTP 200, text/plain, binary'],
    [
      'how it ended, where that was not in order',
      replied('a', { text: '{"id":', ending: { kind: 'cut', detail: 'reset' } }),
      'HTTP 200, text/plain, {"id":, then reset',
    ],
    [
      'how it ended',
      replied('a', { text: 'x', ending: { kind: 'cut', detail: 'closed' } }),
      'HTTP 200, text/plain, x, then closed',
    ],
    [
      'that none came in time',
      silent('a', { kind: 'timeout', afterMs: 100 }),
      'no reply (not complete after 100 ms)',
    ],
    [
      'that it was waited for less than usual',
      silent('a', { kind: 'timeout', afterMs: 100, shortened: true }),
      'no reply (not complete after 100 ms, less than the timeout of the run: others of its kind were not complete in time)',
    ],
    ['why none came', silent('a', { kind: 'unreachable', detail: 'refused' }), 'no reply (refused)'],
  ])('says %s', (_, exchange, line) => {
    expect(describeReply(exchange)).toBe(line);
  });
});

it('a value is shown as JSON, and what is not there as nothing', () => {
  expect([
    describeValue(undefined),
    describeValue(null),
    describeValue('a\nb'),
    describeValue({ a: [1] }),
  ]).toEqual(['no value', 'null', '"a\\nb"', '{"a":[1]}']);
});
