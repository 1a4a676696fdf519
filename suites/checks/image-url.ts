import { valueAt } from '../reading/json.ts';
import type { CheckDefinition } from './definition.ts';
import { describeValue } from './shared/describe.ts';
import { fail, inconclusive, pass } from './shared/findings.ts';
import { imageData } from './shared/image-data.ts';

/** Each element of `data` has a string field `url` (2.6). */
export interface ImageUrl {
  readonly kind: 'image-url';
  readonly requirement: string;
  readonly probe: string;
}

export const imageUrl: CheckDefinition<ImageUrl> = {
  kind: 'image-url',
  explanation: 'Looks for a string url in each element of data.',
  reads: ({ probe }) => [probe],
  judge({ probe }, view) {
    const images = imageData(view, probe);
    if (typeof images === 'string' || images.length === 0)
      return inconclusive('no-images', typeof images === 'string' ? images : 'data is empty');
    const wrong = images.findIndex((image) => typeof valueAt(image, '/url') !== 'string');
    return wrong < 0
      ? pass()
      : fail('image-url-missing', describeValue(valueAt(images[wrong], '/url')), {
          pointer: `/data/${wrong}/url`,
        });
  },
};
