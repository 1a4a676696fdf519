import type { CheckDefinition } from './definition.ts';
import { describeValue } from './shared/describe.ts';
import { fail, inconclusive, oneFinding, pass } from './shared/findings.ts';
import { imageData } from './shared/image-data.ts';

/** The elements of `data` have a url. */
export interface ImageUrl {
  readonly kind: 'image-url';
  readonly requirement: string;
  readonly probe: string;
}

/** Each element of `data` has a string field `url` (2.6). */
export const imageUrl: CheckDefinition<ImageUrl> = {
  kind: 'image-url',
  explanation: 'Looks for a string url in each element of data.',
  reads: ({ probe }) => [probe],
  judge({ requirement, probe }, view) {
    const images = imageData(view, probe);
    if (typeof images === 'string' || images.length === 0) {
      const actual = typeof images === 'string' ? images : 'data is empty';
      return oneFinding(inconclusive(requirement, { kind: 'no-images' }, { actual }));
    }
    const wrong = images.findIndex((image) => typeof urlOf(image) !== 'string');
    if (wrong < 0) return oneFinding(pass(requirement));
    return oneFinding(
      fail(requirement, {
        reason: { kind: 'image-url-missing' },
        pointer: `/data/${wrong}/url`,
        actual: describeValue(urlOf(images[wrong])),
      }),
    );
  },
};

const urlOf = (image: unknown): unknown => (image as { url?: unknown } | null)?.url;
