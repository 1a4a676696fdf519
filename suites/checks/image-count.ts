import type { ImageCount } from '../types/checks/replies.ts';
import { count } from '../../spec/text.ts';
import type { Failure } from '../types/finding.ts';
import type { CheckDefinition } from './check-definition.ts';
import { failureIn, lastOf } from './shared/failure-in.ts';
import { fail, inconclusive, pass } from './shared/findings.ts';
import { imagesOfEach } from './shared/image-data.ts';

export const imageCount: CheckDefinition<ImageCount> = {
  kind: 'image-count',
  explanation: 'Counts the elements of data.',
  reads: ({ probes }) => probes,
  smaller: () => ({ keeps: ['n'] }),
  judge({ probes, count: asked }, view) {
    const { shown, reason } = imagesOfEach(view, probes);
    if (shown.length === 0) return inconclusive('no-images', reason);
    const isWrong = (found: number): boolean => (asked === undefined ? found === 0 : found !== asked);
    const replies = shown.map(({ exchange, images }) => ({
      ...lastOf(view.state(exchange), exchange),
      aspect: isWrong(images.length) ? wrongCount(images.length, asked) : ('kept' as const),
    }));
    return failureIn(view, replies) ?? pass();
  },
};

const wrongCount = (found: number, asked: number | undefined): Failure =>
  fail({ kind: 'image-count', found, ...(asked === undefined ? {} : { asked }) }, count(found, 'element'), {
    pointer: '/data',
  });
