import { isObject } from '../../spec/json.ts';
import { protocolFacts } from '../../spec/protocols.ts';
import { isTextProtocol, type Protocol } from '../../spec/vocabulary.ts';
import type { EvidenceView, State } from '../checks/evidence-view.ts';
import { fieldViolations } from '../checks/shared/field-violations.ts';
import { isFailure } from '../checks/shared/findings.ts';
import { imagesOf } from '../checks/shared/image-data.ts';
import { features } from '../checks/shared/refusal-features.ts';
import { streamShapes } from '../checks/shared/stream-shape.ts';
import { isOwnLimit } from '../facts/replies.ts';
import type { Exchange } from '../types/exchange.ts';
import type { PlannedRequest } from '../types/plan.ts';
import type { StreamReading } from '../reading/stream.ts';

/** One thing that verdicts rest on, as it was recorded and as it is now. */
export interface Change {
  readonly what: string;
  readonly before: string;
  readonly now: string;
}

/** A reply that can be compared: an answer or a refusal. */
export type Judged =
  | Extract<State, { kind: 'answered' }>
  | { readonly kind: 'refused'; readonly exchange: Exchange };

/** The reply to a request where it can be compared: the limit that is due to a spent token refuses it. */
export function judgedReply(view: EvidenceView, request: PlannedRequest): Judged | undefined {
  const state = view.state(request.id);
  if (state.kind !== 'unclear') return state;
  const { exchange } = state;
  return exchange !== undefined && isOwnLimit(request, exchange) ? { kind: 'refused', exchange } : undefined;
}

/** What verdicts rest on in a reply, by name; texts, ids and times are not among it. */
type Facts = ReadonlyMap<string, string>;

/** A value that names a class of errors, such as `invalid_request_error`: a word, and no text or number. */
const isClassName = (name: string, value: string): boolean =>
  /\/(type|code|status)$/.test(name) && /^"[a-z][a-z_.-]{1,60}"$/i.test(value);

function refusalFacts(exchange: Exchange): Facts {
  const seen = features(exchange);
  const classes = [...seen].filter(([name, value]) => name === 'status' || isClassName(name, value));
  return new Map(classes.map(([name, value]) => [`${name} of the refusal`, value]));
}

const listed = (names: readonly string[]): string => (names.length === 0 ? 'none' : names.join(', '));

function documentFacts(json: unknown, protocol: Protocol): Facts {
  const present = protocolFacts[protocol].resultFields.filter((name) => isObject(json) && name in json);
  return new Map([
    ['fields of the result', listed(present)],
    ['fields that are not as stated', listed([...fieldViolations(protocol, json).keys()])],
  ]);
}

function streamFacts(stream: StreamReading, text: string, protocol: Protocol): Facts {
  const broken = isTextProtocol(protocol)
    ? Object.entries(streamShapes[protocol](stream)).flatMap(([name, aspect]) =>
        isFailure(aspect) ? [name] : [],
      )
    : [];
  return new Map([
    ['events that can be read', stream.problems.length > 0 ? 'not all' : 'all'],
    ['parts of events that are not as stated', listed(broken)],
    ['text in the stream', text === '' ? 'none' : 'some'],
  ]);
}

function factsOfState(state: Judged, protocol: Protocol): Facts {
  if (state.kind === 'refused') return refusalFacts(state.exchange);
  const { reading } = state;
  const images = imagesOf(state)?.length;
  return new Map([
    ['form of the reply', reading.kind === 'stream' ? 'a stream' : 'one document'],
    ...(reading.kind === 'stream'
      ? streamFacts(reading.stream, reading.text, protocol)
      : documentFacts(reading.json, protocol)),
    ...(images === undefined ? [] : [['images', String(images)] as const]),
  ]);
}

/** In what a reply differs from the recorded one, of what verdicts rest on. */
export function changesBetween(before: Judged, now: Judged, protocol: Protocol): readonly Change[] {
  if (before.kind !== now.kind) return [{ what: 'outcome', before: before.kind, now: now.kind }];
  const [then, today] = [factsOfState(before, protocol), factsOfState(now, protocol)];
  const absent = 'absent';
  return [...new Set([...then.keys(), ...today.keys()])].flatMap((what) => {
    const [was, is] = [then.get(what) ?? absent, today.get(what) ?? absent];
    return was === is ? [] : [{ what, before: was, now: is }];
  });
}
