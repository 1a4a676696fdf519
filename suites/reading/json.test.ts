import { expect, it } from 'vitest';
import { lighter } from './json.ts';

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
