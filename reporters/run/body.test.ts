import { expect, test } from 'vitest';
import type { Body } from '../../suites/types/exchange.ts';
import { bodyMarkup } from '../document/printed.fixture.ts';
import { plain } from '../document/blocks.ts';
import { bodyParts, markIn } from './body.ts';

const body = (text: string): Body => ({ text, encoding: 'utf8', bytes: text.length, arrivals: [] });
const shown = (text: string, pointers: readonly string[] = [], limit = 1500): string =>
  bodyMarkup(bodyParts(body(text), pointers, { limit, hasRest: false }));

test('the value that a pointer leads to is marked in the laid-out reply', () => {
  const text = '{"a":{"b/c":[1,{"d~":"21"}]},"e":1.0e3}';
  expect(shown(text, ['/a/b~1c/1/d~0'])).toBe('{"a": {"b/c": [1, {"d~": <mark>"21"</mark>}]}, "e": 1.0e3}');
});

test('a missing member marks the value that should hold it', () => {
  expect(shown('{"usage":{"x":1}}', ['/usage/total'])).toBe('{"usage": <mark>{"x": 1}</mark>}');
  expect(markIn(body('{"usage":{"x":1}}'), '/usage/total')).toEqual({ exact: false, raw: '{"x":1}' });
});

test.each([
  ['LF', 'data: {"a":0}\n\ndata: {"a":1}\n\n'],
  ['CRLF', 'data: {"a":0}\r\n\r\ndata: {"a":1}\r\n\r\n'],
  ['CR and names', ': hi\rid: 1\rdata:{"a":0}\r\revent: x\rdata:{"a":1}\r\r'],
  ['one value a line', '{"a":0}\n{"a":1}\n'],
  ['values in a row', '{"a":0}{"a":1}'],
])('an event of a stream is found by its number, from 0: %s', (_, text) => {
  expect(markIn(body(text), 'event 1 /a')).toEqual({ exact: true, raw: '1' });
  expect(shown(text, ['event 1 /a'])).toContain('<mark>1</mark>');
  expect(markIn(body(text), 'event 2/a')).toBeNull();
});

test('an event that is not JSON is marked as a whole', () => {
  expect(markIn(body('data: {"a":0}\n\ndata: {"a":\n\n'), 'event 1')).toEqual({ exact: true, raw: '{"a":' });
});

test('a long body shows its beginning and what is marked, and says how much is not shown', () => {
  const text = JSON.stringify({
    data: Array.from({ length: 500 }, (_, at) => ({ at, url: `https://example.com/${at}` })),
  });
  const markup = shown(text, ['/data/300/url']);
  expect(markup).toContain('<mark>"https://example.com/300"</mark>');
  expect(markup).toMatch(/<i>⋯ [^<]+ of [^<]+ characters, in full in report.json ⋯<\/i>/);
  expect(markup.length).toBeLessThan(2000);
});

test('a long body has all of it: what is between its ends is behind a line, and no character is cut in two', () => {
  const text = JSON.stringify({ b64: '😀'.repeat(5000) });
  const parts = bodyParts(body(text), [], { limit: 2000, hasRest: true });
  expect(parts.map(({ behind }) => behind)).toEqual([
    undefined,
    '⋯ 8\u202f016 of 10\u202f015 characters',
    undefined,
  ]);
  expect(parts.map(({ text: own }) => plain(own)).join('')).toBe(`{\n  "b64": "${'😀'.repeat(5000)}"\n}`);
  expect(
    parts.map(({ text: own }) => plain(own)).every((own) => !/^[\udc00-\udfff]|[\ud800-\udbff]$/.test(own)),
  ).toBe(true);
});

test('a body of less than two thousand characters is shown whole', () => {
  const text = JSON.stringify({ a: 'x'.repeat(1_950) });
  expect(shown(text, [], 2000)).toBe(`{\n  "a": "${'x'.repeat(1_950)}"\n}`);
});

test('a sentence that follows itself stands once, with how often it comes again', () => {
  const again = 'These words fill the prompt. '.repeat(50);
  const note = '<i>⋯ the same 29 characters 49 more times ⋯</i>';
  expect(shown(`Hi. ${again}What is the label?`)).toBe(
    `Hi. These words fill the prompt. ${note}What is the label?`,
  );
  expect(shown('No. No. No. ')).toBe('No. No. No. ');
});

test('what is marked behind a sentence that follows itself is marked where it now stands', () => {
  const text = JSON.stringify({ text: 'These words fill the prompt. '.repeat(50), b: 7 });
  expect(shown(text, ['/b'])).toContain('⋯</i>",\n  "b": <mark>7</mark>');
  expect(shown(text, ['/text'])).not.toContain('the same');
});

test('what is not JSON, is cut, or is nested beyond reason is shown as it came', () => {
  for (const text of ['<html>', '{"a": [1, 2', '', '[[[', 'nul']) {
    expect(shown(text, ['/a', 'event 0/a'])).toBe(text.replace('<', '&lt;').replace('>', '&gt;'));
  }
  expect(shown('['.repeat(100_000), ['/0'])).toContain('characters, in full in report.json');
});

test('a reply cannot fake a mark', () => {
  expect(shown('{"a":"<mark>x</mark>"}', ['/b'])).not.toContain('<mark>x');
});
