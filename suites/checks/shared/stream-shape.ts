import { protocolFacts } from '../../../spec/protocols.ts';
import { validator, type Violation } from '../../../spec/validators.ts';
import type { TextProtocol } from '../../../spec/vocabulary.ts';
import type { Failure } from '../../types/finding.ts';
import { isObject } from '../../../spec/json.ts';
import { elements, valueAt } from '../../reading/json.ts';
import type { StreamEvent, StreamReading } from '../../reading/stream.ts';
import { describeValue, type Aspect, fail, isFailure } from './findings.ts';
import type { FailureReason } from '../../types/reasons/index.ts';

/** Outcomes by the id of the requirement without `PROTOCOL.stream.`. */
export type Aspects = Readonly<Record<string, Aspect>>;

export const isBroken = (aspects: Aspects): boolean => Object.values(aspects).some(isFailure);

/** Whether a stream has an event that can't be read, or lacks what it must hold: text may be lost with it. */
export const isDamaged = (reading: StreamReading, protocol: TextProtocol): boolean =>
  reading.problems.length > 0 || isBroken(streamShapes[protocol](reading));

export const streamShapes: Readonly<Record<TextProtocol, (reading: StreamReading) => Aspects>> = {
  responses: responsesShape,
  messages: () => ({}),
  chat: chatShape,
};

/** Where in a stream a value of an event stands. */
export const pointerIn = (event: Pick<StreamEvent, 'index'>, pointer: string): string =>
  `event ${event.index}${pointer === '' ? '' : ` ${pointer}`}`;

/** The first event that breaks a rule; kept where events follow it and none breaks it. */
function firstBroken(events: readonly StreamEvent[], rule: (event: StreamEvent) => Failure | undefined) {
  for (const event of events) {
    const broken = rule(event);
    if (broken) return broken;
  }
  return events.length > 0 ? 'kept' : undefined;
}

/** Where a field is missing, the whole event is what came. */
const violationIn = (event: StreamEvent, violation: Violation): Failure =>
  fail(violationReason(violation), violation.actual ?? describeValue(event.data), {
    pointer: pointerIn(event, violation.pointer),
  });

/** A named event without any field keeps the connection open or ends the stream: neither is shown (6). */
const isOfModel = ({ name, data }: StreamEvent): boolean =>
  name === undefined || !isObject(data) || Object.keys(data).length > 0;

function responsesShape({ events }: StreamReading): Aspects {
  const deltas = events.filter(({ data }) => isObject(data) && data.type === 'response.output_text.delta');
  return {
    'event-type': firstBroken(events.filter(isOfModel), (event) => {
      const [wrong] = validator(protocolFacts.responses.stream.eventSchema)(event.data).errors;
      const reason = wrong && ({ kind: 'event-without-type', expected: wrong.expected } as const);
      return reason && fail(reason, describeValue(event.data), { pointer: pointerIn(event, '/type') });
    }),
    delta: firstBroken(deltas, (event) => {
      const [wrong] = validator('TextDelta')(event.data).errors;
      return wrong && violationIn(event, wrong);
    }),
  };
}

function chatShape({ events }: StreamReading): Aspects {
  // Events of other kinds are free; a chunk shows itself by what chunks have. An id alone is no such thing.
  const idOf = ({ data }: StreamEvent) => (isObject(data) && 'choices' in data ? data.id : undefined);
  const ids = new Set(events.map(idOf).filter((id) => typeof id === 'string'));
  const chunks = events.filter(({ name, data }) => {
    if (!isObject(data)) return false;
    if ('choices' in data || data.object === 'chat.completion.chunk') return true;
    if (typeof data.id !== 'string' || 'type' in data || 'error' in data) return false;
    return (name ?? 'message') === 'message' && (ids.has(data.id) || 'created' in data || 'model' in data);
  });
  const rule = (pattern: RegExp) => (event: StreamEvent) => {
    const wrong = validator(protocolFacts.chat.stream.eventSchema)(event.data).errors.find(({ pointer }) =>
      pattern.test(pointer),
    );
    return wrong && violationIn(event, wrong);
  };
  const first = ({ data }: StreamEvent): unknown => elements(isObject(data) ? data.choices : undefined)[0];
  const withChoice = chunks.filter((event) => first(event) !== undefined);
  // `null` says the same as an absent content.
  const withContent = withChoice.filter(
    (event) => (valueAt(first(event), '/delta/content') ?? null) !== null,
  );
  return {
    'chunk.choices': firstBroken(chunks, rule(/^(\/choices)?$/)),
    'chunk.delta': firstBroken(withChoice, rule(/^\/choices\/0(\/delta)?$/)),
    'chunk.content': firstBroken(withContent, rule(/^\/choices\/0\/delta\/content$/)),
  };
}

const aboutContents: readonly string[] = ['minItems', 'contains'];

export const violationReason = ({ pointer, keyword, expected }: Violation): FailureReason =>
  keyword === 'required'
    ? { kind: 'field-missing', field: pointer.slice(pointer.lastIndexOf('/') + 1), expected }
    : { kind: 'field-wrong', pointer, expected, counts: aboutContents.includes(keyword) };
