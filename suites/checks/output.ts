import type { Check } from '../model/case.ts';
import type { Judgement } from '../model/finding.ts';
import { unstreamedOf } from '../plan/reads.ts';
import { replyText } from '../reading/text.ts';
import type { EvidenceView, State } from './evidence-view.ts';
import { fail, inconclusive, pass, describeReply, describeValue, describeState } from './findings.ts';

/** A reply with output carries text: one that does is enough. */
export function output(check: Extract<Check, { kind: 'output' }>, view: EvidenceView): Judgement {
  const { requirement, protocol, probes } = check;
  const states = probes.map((id) => view.state(id));
  const answered = states.filter((state) => state.kind === 'answered');
  if (answered.some((state) => replyText(state.reading, protocol).trim() !== ''))
    return { findings: [pass(requirement)] };
  const [first] = answered;
  if (first === undefined) {
    return {
      findings: [
        inconclusive(requirement, 'nothing was answered', states[0] ? describeState(states[0]) : 'not sent'),
      ],
    };
  }
  // A field of another name or type is judged by its own requirement, and not a second time here.
  if (answered.some((state) => state.reading.kind === 'result' && !hasTextField(state.reading.json))) {
    return {
      findings: [
        inconclusive(requirement, 'no field that would carry the text', describeReply(first.exchange)),
      ],
    };
  }
  const message = 'no reply carries any text';
  return {
    findings: [
      fail(requirement, {
        message,
        expected: 'text of the assistant',
        actual: describeReply(first.exchange),
      }),
    ],
  };
}

/** Whether somewhere an empty text stands where text belongs. */
const hasTextField = (json: unknown): boolean =>
  /"(text|content|output_text)":""/.test(JSON.stringify(json) ?? '');

/** `data` has exactly `n` elements (4.4, 2.6). */
export function imageCount(check: Extract<Check, { kind: 'image-count' }>, view: EvidenceView): Judgement {
  const { requirement, probe, count } = check;
  const images = dataOf(view, probe);
  if (!Array.isArray(images))
    return { findings: [inconclusive(requirement, 'no images to count', String(images))] };
  if (images.length === count) return { findings: [pass(requirement)] };
  const message = `${images.length} images for n = ${count}`;
  return {
    findings: [
      fail(requirement, {
        message,
        pointer: '/data',
        expected: `${count} elements`,
        actual: `${images.length} elements`,
      }),
    ],
  };
}

/** Each element of `data` has a string field `url` (2.6). */
export function imageUrl(check: Extract<Check, { kind: 'image-url' }>, view: EvidenceView): Judgement {
  const { requirement, probe } = check;
  const images = dataOf(view, probe);
  if (!Array.isArray(images) || images.length === 0) {
    return {
      findings: [
        inconclusive(
          requirement,
          'no image to look at',
          Array.isArray(images) ? 'data is empty' : String(images),
        ),
      ],
    };
  }
  const wrong = images.findIndex((image: unknown) => typeof urlOf(image) !== 'string');
  if (wrong < 0) return { findings: [pass(requirement)] };
  const message = 'an image asked for as a url has none';
  return {
    findings: [
      fail(requirement, {
        message,
        pointer: `/data/${wrong}/url`,
        expected: 'a string',
        actual: describeValue(urlOf(images[wrong])),
      }),
    ],
  };
}

const urlOf = (image: unknown): unknown => (image as { url?: unknown } | null)?.url;

/** The elements of `data`, or why there are none to judge. */
function dataOf(view: EvidenceView, probe: string): readonly unknown[] | string {
  const state = view.state(probe);
  if (state.kind !== 'answered' || state.reading.kind !== 'result') return describeState(state);
  const data = (state.reading.json as { data?: unknown } | null)?.data;
  return Array.isArray(data) ? data : `data is ${describeValue(data)}`;
}

/** The content of the first choice is a string with nothing in it; one that is no string is judged with the fields. */
const isBlank = (state: State): boolean => {
  const json = state.kind === 'answered' && state.reading.kind === 'result' ? state.reading.json : null;
  const content = (
    json as { choices?: readonly ({ message?: { content?: unknown } | null } | null)[] } | null
  )?.choices?.[0]?.message?.content;
  return typeof content === 'string' && content.trim() === '';
};

/**
 * The reply of an image model on chat is a chat completion (4.5), and the image comes inside its content
 * (2.6), which is then not blank; its fields are judged with all others.
 */
export function chatCompletion(
  check: Extract<Check, { kind: 'chat-completion' }>,
  view: EvidenceView,
): Judgement {
  const { requirement, probe, again } = check;
  const state = view.state(probe);
  if (state.kind !== 'answered')
    return { findings: [inconclusive(requirement, 'nothing was answered', describeState(state))] };
  const others = again.map((id) => view.state(id)).filter(({ kind }) => kind === 'answered');
  if ([state, ...others].every(isBlank)) {
    const message = 'the content of the chat completion is blank, and holds no image';
    const expected = 'the image inside the content string';
    const pointer = '/choices/0/message/content';
    return { findings: [fail(requirement, { message, pointer, expected, actual: describeState(state) })] };
  }
  if (state.reading.kind === 'stream')
    return { findings: [inconclusive(requirement, 'a stream came unasked', describeState(state))] };
  const json = (state.reading.json ?? {}) as { object?: unknown; choices?: unknown };
  if (json.object === 'chat.completion' || Array.isArray(json.choices))
    return { findings: [pass(requirement)] };
  return {
    findings: [
      fail(requirement, {
        message: 'the reply is no chat completion',
        expected: 'a chat completion',
        actual: describeState(state),
      }),
    ],
  };
}

/** No stream unless asked for (1, 4.1 to 4.3). */
export function unstreamed(check: Extract<Check, { kind: 'unstreamed' }>, view: EvidenceView): Judgement {
  const { requirement, protocol, declined, probes } = check;
  const asked = [...new Set([...probes, ...unstreamedOf(view.plan, protocol, declined)])];
  const answered = asked
    .map((id) => ({ id, state: view.state(id) }))
    .filter(({ state }) => state.kind === 'answered');
  const streamed = answered.find(({ state }) => state.kind === 'answered' && state.reading.kind === 'stream');
  if (streamed) {
    const message = `a request ${declined ? 'with `stream` false' : 'without `stream`'} is answered by a stream`;
    return {
      findings: [
        fail(requirement, { message, expected: 'one JSON document', actual: describeState(streamed.state) }),
      ],
      shows: streamed.id,
    };
  }
  if (answered.length > 0) return { findings: [pass(requirement)] };
  const [first] = asked;
  return {
    findings: [
      inconclusive(
        requirement,
        'nothing was answered',
        first ? describeState(view.state(first)) : 'not sent',
      ),
    ],
  };
}
