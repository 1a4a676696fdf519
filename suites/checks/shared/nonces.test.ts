import { describe, expect, it } from 'vitest';
import { holds, lettersOf } from './nonces.ts';

describe('a text', () => {
  it('holds a nonce by its letters and digits only', () => {
    expect(holds('O-T-T-E-R 1 1111', 'OTTER-11111')).toBe(true);
    expect(holds('an otter', 'OTTER-11111')).toBe(false);
    expect(holds('11111', 'OTTER-11111')).toBe(false);
  });

  it('holds a nonce whose digits a model gets wrong, and not one whose letters it does', () => {
    expect(holds('It is OTTER-11191.', 'OTTER-11111')).toBe(true);
    expect(holds('It is OTHER-11111.', 'OTTER-11111')).toBe(false);
    expect(holds('POTTER-11191', 'OTTER-11111')).toBe(false);
  });

  const written = 'OTTER-11111&Tom-größer-мир-ok';

  it('of a megabyte is looked through once for each place that the word stands at', () => {
    expect(lettersOf('OTTER-11111'.repeat(90_000), written)).toBeUndefined();
  });

  it.each([
    ['whole', `The words are VOLE-22222-gr??er-???-ok and ${written}.`, 'kept'],
    ['with its letters composed otherwise', written.normalize('NFD'), 'kept'],
    ['in capitals', written.toUpperCase(), 'kept'],
    ['once in other letters and once whole', `Perhaps OTTER-11111-groesser-ok; it is ${written}`, 'kept'],
    ['with question marks in place of letters', 'OTTER-11111&Tom-gr??er-???-ok', 'lost'],
    ['without the letters', 'OTTER-11111&Tom-grer--ok', 'lost'],
    ['with other letters', 'OTTER-11111&Tom-groesser-mir-ok', 'lost'],
    ['shortened', 'OTTER-11111. Is that ok?', undefined],
    ['shortened, beside another value', '{"name":"OTTER-11111","status":"ok"}', undefined],
  ])('that has a nonce %s holds it, and tells what became of its letters', (_, text, letters) => {
    expect(holds(text, written)).toBe(true);
    expect(lettersOf(text, written)).toBe(letters);
  });
});
