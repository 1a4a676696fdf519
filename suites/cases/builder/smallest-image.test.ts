import { describe, expect, it } from 'vitest';
import { smallestSize, withSmallestImage } from './bodies.ts';

describe('the smallest image', () => {
  it('has the fewest pixels of the sizes that the document allows', () => {
    expect(smallestSize()).toBe('256x256');
  });

  it('is asked for where no size is', () => {
    expect(withSmallestImage({ prompt: 'a' })).toEqual({ prompt: 'a', size: '256x256' });
    expect(withSmallestImage({ size: '512x512' })).toEqual({ size: '512x512' });
  });

  it.each([[null], ['text'], [[1]], [{ $: 'model' } as const]])('is not asked for in %j', (json) => {
    expect(withSmallestImage(json)).toEqual(json);
  });
});
