import { describe, expect, it } from 'vitest';
import { holds } from './nonces.ts';

describe('a text', () => {
  it('holds a nonce by its letters and digits only', () => {
    expect(holds('O-T-T-E-R 1 1111', 'OTTER-11111')).toBe(true);
    expect(holds('OTTER-1111', 'OTTER-11111')).toBe(false);
  });
});
