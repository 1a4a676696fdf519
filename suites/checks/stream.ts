import { validator } from '../../spec/validators.ts';
import type { TextProtocol } from '../../spec/vocabulary.ts';
import type { Check } from '../model/case.ts';
import type { Exchange } from '../model/exchange.ts';
import type { Finding, Judgement } from '../model/finding.ts';
import { endingWords } from '../model/words.ts';
import type { StreamEvent, StreamReading } from '../reading/stream.ts';
import { mayBringText, textIncrements } from '../reading/text.ts';
import { streamsOf } from '../plan/reads.ts';
import { type EvidenceView, mayBeSilent, streamOf } from './evidence-view.ts';
import { type Contradiction, fail, inconclusive, pass, describeValue, describeState } from './findings.ts';

/** What one exchange says of a requirement: kept, broken, or nothing. */
type Word = 'kept' | Contradiction | undefined;
type Words = Readonly<Record<string, Word>>;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Shape, text and end of every stream of the plan (4.1 to 4.3, 6). */
export function stream(
  check: Extract<Check, { kind: 'stream' }>,
  view: EvidenceView,
  requirements: readonly string[],
): Judgement {
  const { protocol, probes } = check;
  const all = streamsOf(view.plan, protocol).map((id) => ({ id, words: words(view, id, protocol) }));
  const findings = requirements.map((requirement): Finding => {
    const aspect = requirement.slice(protocol.length + '.stream.'.length);
    for (const { id, words } of all) {
      const word = words[aspect];
      if (word !== undefined && word !== 'kept') return fail(requirement, { ...word, exchange: id });
    }
    if (all.some(({ words }) => words[aspect] === 'kept')) return pass(requirement);
    const [first] = probes;
    return inconclusive(
      requirement,
      'no stream shows it',
      first ? describeState(view.state(first)) : 'not sent',
    );
  });
  const shows = all.find(({ words }) =>
    Object.values(words).some((word) => word !== undefined && word !== 'kept'),
  )?.id;
  return { findings, ...(shows ? { shows } : {}) };
}

const isBroken = (shape: Words): boolean =>
  Object.values(shape).some((word) => word !== undefined && word !== 'kept');

/** Whether a stream has an event that can't be read, or lacks what it must hold: text may be lost with it. */
export const isTorn = (reading: StreamReading, protocol: TextProtocol): boolean =>
  reading.problems.length > 0 || isBroken(shapes[protocol](reading));

function words(view: EvidenceView, id: string, protocol: TextProtocol): Words {
  const state = view.state(id);
  if (state.kind === 'unclear') return { end: state.exchange ? cutShort(state.exchange) : undefined };
  const reading = streamOf(state);
  if (reading === undefined) {
    if (state.kind === 'refused') return {};
    return {
      given: {
        message: 'a stream was asked for and one document came',
        expected: 'a stream of events',
        actual: describeState(state),
      },
    };
  }
  const shape = shapes[protocol](reading);
  const broken = isBroken(shape);
  const malformed = reading.problems[0];
  return {
    given: 'kept',
    end: 'kept',
    'well-formed': malformed
      ? {
          message: malformed.message,
          pointer: `event ${malformed.index}`,
          expected: 'an event that can be read',
          actual: describeValue(malformed.excerpt),
        }
      : 'kept',
    ...shape,
    text: textWord(reading, protocol, broken || malformed !== undefined || mayBeSilent(view, id)),
  };
}

/**
 * A stream without text is a failure, unless what is wrong with its events explains it; or on Messages, where
 * the events are not shown (6.1), any of their strings may be it.
 */
function textWord(reading: StreamReading, protocol: TextProtocol, explained: boolean): Word {
  if (textIncrements(reading, protocol).length > 0) return 'kept';
  if (explained || (protocol === 'messages' && mayBringText(reading))) return undefined;
  const seen = reading.events.map((event) => event.raw).join(' ');
  return {
    message: 'the stream carries no text',
    expected: 'events that carry text',
    actual: describeValue(seen),
  };
}

/** The transport says that the reply broke off, in every attempt. */
function cutShort({ attempts, response }: Exchange): Word {
  if (response === null || attempts.length < 2 || attempts.some((attempt) => attempt.ending.kind !== 'cut'))
    return undefined;
  const last = attempts.at(-1);
  const detail = last ? endingWords(last.ending) : 'the connection ended';
  return {
    message: `the stream is cut in each of ${attempts.length} attempts`,
    expected: 'a stream that ends in order',
    actual: `${detail} after ${response.body.bytes} bytes`,
  };
}

const shapes: Readonly<Record<TextProtocol, (reading: StreamReading) => Words>> = {
  responses: responsesShape,
  messages: () => ({}),
  chat: chatShape,
};

const at = (event: StreamEvent, pointer: string): string =>
  `event ${event.index}${pointer === '' ? '' : ` ${pointer}`}`;

/** The first event that breaks a rule; kept where events follow it and none breaks it. */
function firstBroken(
  events: readonly StreamEvent[],
  rule: (event: StreamEvent) => Contradiction | undefined,
): Word {
  for (const event of events) {
    const broken = rule(event);
    if (broken) return broken;
  }
  return events.length > 0 ? 'kept' : undefined;
}

function responsesShape({ events }: StreamReading): Words {
  const deltas = events.filter(({ data }) => isRecord(data) && data.type === 'response.output_text.delta');
  return {
    'event-type': firstBroken(events, (event) => {
      const [wrong] = validator('ResponsesEvent')(event.data).errors;
      return (
        wrong && {
          ...wrong,
          message: `an event has no string type: ${wrong.message}`,
          pointer: at(event, '/type'),
          actual: describeValue(event.data),
        }
      );
    }),
    delta: firstBroken(deltas, (event) => {
      const [wrong] = validator('TextDelta')(event.data).errors;
      return wrong && { ...wrong, pointer: at(event, wrong.pointer), actual: describeValue(event.data) };
    }),
  };
}

/** Events of other kinds are free; a chunk shows itself by what chunks have. An id alone is no such thing. */
function chunksOf(events: readonly StreamEvent[]): readonly StreamEvent[] {
  const idOf = ({ data }: StreamEvent) => (isRecord(data) && 'choices' in data ? data.id : undefined);
  const ids = new Set(events.map(idOf).filter((id) => typeof id === 'string'));
  return events.filter(({ name, data }) => {
    if (!isRecord(data)) return false;
    if ('choices' in data || data.object === 'chat.completion.chunk') return true;
    if (typeof data.id !== 'string' || 'type' in data || 'error' in data) return false;
    return (name ?? 'message') === 'message' && (ids.has(data.id) || 'created' in data || 'model' in data);
  });
}

function chatShape({ events }: StreamReading): Words {
  const chunks = chunksOf(events);
  const rule = (pattern: RegExp) => (event: StreamEvent) => {
    const wrong = validator('ChatChunk')(event.data).errors.find(({ pointer }) => pattern.test(pointer));
    return wrong && { ...wrong, pointer: at(event, wrong.pointer), actual: describeValue(event.data) };
  };
  const first = (event: StreamEvent): unknown =>
    isRecord(event.data) && Array.isArray(event.data.choices) ? event.data.choices[0] : undefined;
  const withChoice = chunks.filter((event) => first(event) !== undefined);
  const withContent = withChoice.filter((event) => {
    const choice = first(event);
    // `null` says the same as an absent content.
    return isRecord(choice) && isRecord(choice.delta) && (choice.delta.content ?? null) !== null;
  });
  return {
    'chunk.choices': firstBroken(chunks, rule(/^(\/choices)?$/)),
    'chunk.delta': firstBroken(withChoice, rule(/^\/choices\/0(\/delta)?$/)),
    'chunk.content': firstBroken(withContent, rule(/^\/choices\/0\/delta\/content$/)),
  };
}
