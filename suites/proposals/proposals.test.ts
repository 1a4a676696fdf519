import { describe, expect, it } from 'vitest';
import { schemaOf } from './proposals.ts';

describe('what values have in common', () => {
  it.each([
    ['a code that is always the same', [{ code: 'x' }, { code: 'x' }], { code: { const: 'x' } }],
    ['a code that differs', [{ code: 'x' }, { code: 'y' }], { code: { type: 'string' } }],
    ['a sentence, whatever it says', [{ code: 'a b' }, { code: 'a b' }], { code: { type: 'string' } }],
    ['what some lack', [{ code: 1, more: 2 }, { code: 2 }], { code: { type: 'number' } }],
    ['several types', [{ code: 1 }, { code: null }], { code: { type: ['null', 'number'] } }],
  ])('names %s', (_, values, properties) => {
    expect(schemaOf(values)).toEqual({ type: 'object', required: ['code'], properties });
  });
});
