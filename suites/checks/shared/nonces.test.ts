import { describe, expect, it } from 'vitest';
import { holds, holdsWord } from './nonces.ts';

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
    expect(holds('OTTER-11111'.repeat(90_000), written)).toBe(true);
  });

  it.each([
    ['whole', `The words are VOLE-22222-gr??er-???-ok and ${written}.`, true],
    ['with its letters composed otherwise', written.normalize('NFD'), true],
    ['shortened', 'OTTER-11111. Is that ok?', true],
    ['with question marks in place of letters', 'OTTER-11111&Tom-gr??er-???-ok', false],
    ['without the letters', 'OTTER-11111&Tom-grer--ok', false],
    ['with other letters', 'OTTER-11111&Tom-groesser-mir-ok', false],
  ])('that has a nonce %s holds its letters: %s', (_, text, isHeld) => {
    expect(holds(text, written)).toBe(isHeld);
    expect(holdsWord(text, written)).toBe(true);
  });
});
