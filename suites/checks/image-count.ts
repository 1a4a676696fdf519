import type { CheckDefinition } from './definition.ts';
import { fail, inconclusive, pass } from './shared/findings.ts';
import { imageData } from './shared/image-data.ts';

/** `data` has exactly `n` elements (4.4, 2.6). */
export interface ImageCount {
  readonly kind: 'image-count';
  readonly requirement: string;
  readonly probe: string;
  readonly count: number;
}

export const imageCount: CheckDefinition<ImageCount> = {
  kind: 'image-count',
  explanation: 'Counts the elements of data.',
  reads: ({ probe }) => [probe],
  judge({ probe, count }, view) {
    const images = imageData(view, probe);
    if (typeof images === 'string') return inconclusive('no-images', images);
    const found = images.length;
    return found === count
      ? pass()
      : fail({ kind: 'image-count', found, asked: count }, `${found} elements`, { pointer: '/data' });
  },
};
