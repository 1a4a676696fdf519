import { expect, test } from 'vitest';
import { isJsonOf } from './json.ts';

const long = `${'a'.repeat(999_999)}😀"\\\n${'ü'.repeat(1_500_000)}`;
const value = { empty: {}, none: null, list: [1, { a: 'b' }], body: { text: long, length: 3 }, last: true };

test('a long value is told from one that is written in another way, wherever that is', () => {
  const text = JSON.stringify(value);
  expect(isJsonOf(value, text)).toBe(true);
  for (const other of [
    `${text} `,
    ` ${text}`,
    text.slice(0, -1),
    text.replace('😀', '\\ud83d\\ude00'),
    text.replace('"length":3', '"length":3.0'),
    text.replace('{}', '{ }'),
  ])
    expect(isJsonOf(JSON.parse(other.endsWith('}') || other.endsWith(' ') ? other : text), other)).toBe(
      false,
    );
});
