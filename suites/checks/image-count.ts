import type { CheckDefinition } from './definition.ts';
import { fail, inconclusive, oneFinding, pass } from './shared/findings.ts';
import { imageData } from './shared/image-data.ts';

/** `data` has exactly this many elements. */
export interface ImageCount {
  readonly kind: 'image-count';
  readonly requirement: string;
  readonly probe: string;
  readonly count: number;
}

/** `data` has exactly `n` elements (4.4, 2.6). */
export const imageCount: CheckDefinition<ImageCount> = {
  kind: 'image-count',
  explanation: 'Counts the elements of data.',
  reads: ({ probe }) => [probe],
  judge({ requirement, probe, count }, view) {
    const images = imageData(view, probe);
    if (typeof images === 'string')
      return oneFinding(inconclusive(requirement, { kind: 'no-images' }, { actual: images }));
    if (images.length === count) return oneFinding(pass(requirement));
    return oneFinding(
      fail(requirement, {
        reason: { kind: 'image-count', found: images.length, asked: count },
        pointer: '/data',
        actual: `${images.length} elements`,
      }),
    );
  },
};
