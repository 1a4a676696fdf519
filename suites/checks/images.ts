import { count } from '../../spec/text.ts';
import type { Outcome } from '../types/finding.ts';
import type { CheckDefinition } from './check-definition.ts';
import {
  type Aspect,
  describeState,
  describeValue,
  fail,
  failureIn,
  inconclusive,
  pass,
  replyOf,
} from './shared/findings.ts';
import { imagesOfEach } from './shared/image-data.ts';
import { isText, valueAt } from '../reading/json.ts';
import { isObject } from '../../spec/json.ts';
import { documentOf, type EvidenceView, type State } from './evidence-view.ts';

export const imageCount: CheckDefinition<'image-count'> = {
  explanation: 'Counts the elements of data.',
  reads: ({ probes }) => probes,
  smaller: () => ({ keeps: ['n'] }),
  judge({ probes, count: asked }, view) {
    const { shown, reason } = imagesOfEach(view, probes);
    if (shown.length === 0) return inconclusive('no-images', reason);
    return failureAmong(view, shown, ({ images: { length: found } }) => {
      const isWrong = asked === undefined ? found === 0 : found !== asked;
      const wrong = { kind: 'image-count', found, ...(asked === undefined ? {} : { asked }) } as const;
      return isWrong ? fail(wrong, count(found, 'element'), { pointer: '/data' }) : 'kept';
    });
  },
};

type Shown = ReturnType<typeof imagesOfEach>['shown'][number];

function failureAmong(
  view: EvidenceView,
  shown: readonly Shown[],
  aspectOf: (each: Shown) => Aspect,
): Outcome {
  const replies = shown.map((each) => replyOf(view, each.exchange, aspectOf(each)));
  return failureIn(view, replies) ?? pass();
}

export const imageUrl: CheckDefinition<'image-url'> = {
  explanation: 'Looks for a url, a string that is not empty, in each element of data.',
  reads: ({ probes }) => probes,
  smaller: () => ({ keeps: ['response_format'] }),
  judge({ probes }, view) {
    const { shown, reason } = imagesOfEach(view, probes);
    const filled = shown.filter(({ images }) => images.length > 0);
    if (filled.length === 0) return inconclusive('no-images', shown.length > 0 ? 'data is empty' : reason);
    return failureAmong(view, filled, ({ images }) => urlsIn(images));
  },
};

function urlsIn(images: readonly unknown[]): Aspect {
  const wrong = images.findIndex((image) => !isText(valueAt(image, '/url')));
  if (wrong < 0) return 'kept';
  const url = valueAt(images[wrong], '/url');
  // Of what is missing the whole image says more.
  const actual = describeValue(url === undefined ? images[wrong] : url);
  return fail('image-url-missing', actual, { pointer: `/data/${wrong}/url` });
}

/** The reply of an image model on chat is a chat completion (4.5) with the image in its content (2.6), which is then not blank. */
export const chatCompletion: CheckDefinition<'chat-completion'> = {
  explanation: 'Reads the reply of the image model on chat as a chat completion whose content is not blank.',
  reads: ({ probe, again }) => [probe, ...again],
  judge({ probe, again }, view) {
    const state = view.state(probe);
    const actual = describeState(state);
    if (state.kind !== 'answered') return inconclusive('nothing-answered', actual);
    const others = again.map((id) => view.state(id)).filter(({ kind }) => kind === 'answered');
    if ([state, ...others].every(isBlank))
      return fail('image-missing-in-chat', actual, { pointer: '/choices/0/message/content' });
    if (state.reading.kind === 'stream') return inconclusive('stream-in-place-of-result', actual);
    const json = documentOf(state);
    const isChat = isObject(json) && (json.object === 'chat.completion' || Array.isArray(json.choices));
    return isChat ? pass() : fail('not-a-chat-completion', actual);
  },
};

/** The content of the first choice is a string with nothing in it; one that is no string is judged with the fields. */
function isBlank(state: State): boolean {
  const content = valueAt(documentOf(state), '/choices/0/message/content');
  return typeof content === 'string' && content.trim() === '';
}
