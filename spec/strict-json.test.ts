import { describe, expect, test } from 'vitest';
import { JsonError, strictJson } from './strict-json.ts';

const bounds = { depth: 8, string: 1_000, weight: 10_000 };
const read = (text: string | Buffer) => strictJson(Buffer.from(text as string), bounds);

describe('a JSON text', () => {
  test.each([
    '{"a":[1,-2.5e3,true,null,"\\u00e9 \\" \\\\"],"b":{"a":1},"":""}',
    ' [ ] \n',
    '"text: {[,"',
    '0',
    '[{"a":1},{"a":1}]',
  ])('%s is read as the language reads it', (text) => {
    expect(read(text)).toMatchObject({ value: JSON.parse(text), text });
  });

  test.each([
    ['{"a":1,\n"a":2}', 'line 2: a: stands twice'],
    ['{"a":{"b":1,"\\u0062":2}}', 'line 1: a/b: stands twice'],
    ['{"a":[0,{"b":1,"b":2}]}', 'line 1: a/1/b: stands twice'],
    ['{"__proto__":1}', 'line 1: __proto__: is a name'],
    ['{"\\u005f_proto__":1}', 'is a name'],
    ['{"a":[1,1e999]}', 'line 1: a/1: is no finite number'],
    ['-1e999', 'is no finite number'],
    ['[[[[[[[[[', 'is nested more than 8 deep'],
    [`"${'x'.repeat(1_001)}"`, 'holds a text of more than 1000 bytes'],
    [`[${'0,'.repeat(200)}0]`, 'takes more than 10000 bytes of memory'],
    [`[${`"${'\u20ac'.repeat(300)}",`.repeat(6)}0]`, 'takes more than 10000 bytes of memory'],
    ['\ufeff{}', 'is not JSON'],
    ['{} {}', 'is not JSON'],
    ['{}\0', 'is not JSON'],
    ['{"a":1', 'is not JSON'],
    ['["a":1]', 'is not JSON'],
    ['"open', 'is not JSON'],
    ['"\\', 'is not JSON'],
    ['', 'is not JSON'],
    [Buffer.from([0x22, 0xff, 0x22]), 'is not UTF-8'],
  ])('%s is refused', (text, message) => {
    expect(() => read(text)).toThrow(JsonError);
    expect(() => read(text)).toThrow(message);
  });
});
