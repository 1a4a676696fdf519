import type { ImageUrl } from '../types/checks/replies.ts';
import { isText, valueAt } from '../reading/json.ts';
import type { CheckDefinition } from './check-definition.ts';
import { describeValue } from './shared/describe.ts';
import { failureIn, lastOf } from './shared/failure-in.ts';
import { type Aspect, fail, inconclusive, pass } from './shared/findings.ts';
import { imagesOfEach } from './shared/image-data.ts';

export const imageUrl: CheckDefinition<ImageUrl> = {
  kind: 'image-url',
  explanation: 'Looks for a url, a string that is not empty, in each element of data.',
  reads: ({ probes }) => probes,
  smaller: () => ({ keeps: ['response_format'] }),
  judge({ probes }, view) {
    const { shown, reason } = imagesOfEach(view, probes);
    const filled = shown.filter(({ images }) => images.length > 0);
    if (filled.length === 0) return inconclusive('no-images', shown.length > 0 ? 'data is empty' : reason);
    const replies = filled.map(({ exchange, images }) => ({
      ...lastOf(view.state(exchange), exchange),
      aspect: urlsIn(images),
    }));
    return failureIn(view, replies) ?? pass();
  },
};

function urlsIn(images: readonly unknown[]): Aspect {
  const wrong = images.findIndex((image) => !isText(valueAt(image, '/url')));
  if (wrong < 0) return 'kept';
  const actual = describeValue(valueAt(images[wrong], '/url'));
  return fail('image-url-missing', actual, { pointer: `/data/${wrong}/url` });
}
