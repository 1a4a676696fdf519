import { describe, expect, test } from 'vitest';
import { resolvePointer, formatJson, readJson, readWhole, characterBoundary } from './json-text.ts';

const laid = (source: string): string => {
  const root = readWhole(source);
  return root === null ? 'not JSON' : formatJson(source, root).text;
};
const led = (source: string, pointer: string): string => {
  const root = readWhole(source);
  if (root === null) throw new Error('the source is JSON');
  const { node, exact } = resolvePointer(root, pointer);
  return `${exact ? '' : 'above: '}${source.slice(node.start, node.end)}`;
};

describe('JSON is laid out', () => {
  test('on one line where it is short, numbers and escapes as they came', () => {
    expect(laid(' { "a" :1.0e3 , "b":[ ] ,"c": {} , "d\\u0041":[-0,true,false,null,"\\"]"] } ')).toBe(
      '{"a": 1.0e3, "b": [], "c": {}, "d\\u0041": [-0, true, false, null, "\\"]"]}',
    );
    expect(laid('7')).toBe('7');
  });

  test('on indented lines where it is long, short members on one line each', () => {
    const long = 'x'.repeat(72);
    expect(laid(JSON.stringify({ a: [1, 2], b: { c: long, d: [long, {}] }, e: [] }))).toBe(
      [
        '{',
        '  "a": [1, 2],',
        '  "b": {',
        `    "c": "${long}",`,
        '    "d": [',
        `      "${long}",`,
        '      {}',
        '    ]',
        '  },',
        '  "e": []',
        '}',
      ].join('\n'),
    );
  });

  test('by its width without the room between its members: 76 characters fit', () => {
    const fits = `["${'x'.repeat(72)}"]`;
    expect(laid(fits)).toBe(fits);
    expect(laid(`[ \n  \t${fits.slice(1)}`)).toBe(`[\n  "${'x'.repeat(72)}"\n]`);
    expect(laid(`[    "${'x'.repeat(71)}"]`)).toBe(`["${'x'.repeat(71)}"]`);
    expect(laid(`["${'x'.repeat(73)}"]`)).toBe(`[\n  "${'x'.repeat(73)}"\n]`);
  });

  test('and each value knows where it stands', () => {
    const source = '{"a":[1,"b"]}';
    const root = readWhole(source);
    if (root === null) throw new Error('the source is JSON');
    const { text, places } = formatJson(source, root);
    expect([...places.values()].map(([start, end]) => text.slice(start, end))).toEqual([
      '1',
      '"b"',
      '[1, "b"]',
      '{"a": [1, "b"]}',
    ]);
  });
});

test.each([
  '{"a" 1}',
  '{"a";1}',
  '[1;2]',
  '{"a":1',
  '{"a":1]',
  '[1 2]',
  '[1,',
  '{a:1}',
  '{1:2}',
  '{"a\\x":1}',
  '[]]',
  '"a',
  '',
  '{"a":}',
])('%s is not JSON', (text) => {
  expect(readWhole(text)).toBe(null);
});

test('sixty levels are read, and no more', () => {
  const nested = (depth: number): string => `${'['.repeat(depth)}1${']'.repeat(depth)}`;
  expect(readWhole(nested(61))).not.toBe(null);
  expect(readWhole(nested(62))).toBe(null);
});

test('a value is read from where it begins, blanks before it left out', () => {
  expect(readJson('{"a":0} \n[1]x', 7)).toMatchObject({ start: 9, end: 12, opens: '[' });
});

test('a pointer leads to a member, an element, or the nearest value above; of twins the last counts', () => {
  const source = '{"a/b":[{"c~d":1}],"x":1,"x":2,"":3}';
  expect(led(source, '')).toBe(source);
  expect(led(source, '/a~1b/0/c~0d')).toBe('1');
  expect(led(source, '/x')).toBe('2');
  expect(led(source, '/')).toBe('3');
  expect(led(source, '/a~1b/1')).toBe('above: [{"c~d":1}]');
  expect(led(source, '/y/z')).toBe(`above: ${source}`);
});

test('no character is cut in two', () => {
  expect([0, 1, 2, 3, 4].map((at) => characterBoundary('a😀b', at))).toEqual([0, 1, 3, 3, 4]);
  expect(characterBoundary('\ud83d\ud83d', 1)).toBe(1);
});
