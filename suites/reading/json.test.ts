import { expect, it } from 'vitest';
import { isDeepText, lighter } from './json.ts';

it('keeps the beginning of arrays and strings, and every member', () => {
  const value = { a: 'x'.repeat(10), b: [1, [2, 3, 4], 'yyyy', 5], c: { d: null, e: true } };
  expect(lighter(value, { elements: 3, chars: 3 })).toEqual({
    a: 'xxx',
    b: [1, [2, 3, 4], 'yyy'],
    c: { d: null, e: true },
  });
  expect(lighter(value, { elements: 100, chars: 100 })).toEqual(value);
});

it('keeps a member called __proto__ a member', () => {
  const value = JSON.parse('{"__proto__":{"a":1}}') as object;
  expect(JSON.stringify(lighter(value, { elements: 1, chars: 9 }))).toBe('{"__proto__":{"a":1}}');
});

it.each([
  ['brackets beyond reason, cut off', '['.repeat(201), true],
  ['as many as a document may have levels', '['.repeat(200) + ']'.repeat(200), false],
  ['braces in a result that is cut off', `{"a":`.repeat(201), true],
  ['many that are closed again', '[[]],'.repeat(300), false],
  ['many in a string', `{"a":"${'['.repeat(300)}`, false],
  ['many behind a quote that is escaped', `{"a":"\\"${'['.repeat(300)}`, false],
])('tells a text that is nested too deep: %s', (_, text, isDeep) => {
  expect(isDeepText(text)).toBe(isDeep);
});
