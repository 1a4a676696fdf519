import { describe, expect, it } from 'vitest';
import { holds } from './nonces.ts';

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
});
