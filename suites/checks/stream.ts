import { decisions } from '../../spec/decisions.ts';
import { areEventsUnspecified, type TextProtocol } from '../../spec/vocabulary.ts';
import { endingWords } from '../types/reasons/exchange-words.ts';
import type { Exchange } from '../types/exchange.ts';
import { isSameSetting, type Setting } from '../types/combination.ts';
import type { Outcome } from '../types/finding.ts';
import type { PlannedRequest } from '../types/plan.ts';
import { excerptChars, type StreamReading } from '../reading/stream.ts';
import { failureEvent, mayBringText, textIncrements } from '../reading/text.ts';
import { silentStreams } from '../facts/silent-streams.ts';
import type { CheckDefinition } from './check-definition.ts';
import { type EvidenceView, mayBeSilent, streamOf, textOf } from './evidence-view.ts';
import {
  type Aspect,
  describeFirst,
  describeState,
  describeValue,
  excerpt,
  fail,
  failureIn,
  inconclusive,
  isFailure,
  pass,
  shortestOf,
} from './shared/findings.ts';
import { everyReply, type ReplyState, streamsOf } from './shared/meant-replies.ts';
import { noStream } from './shared/valid-request.ts';
import { type Aspects, isBroken, streamShapes } from './shared/stream-shape.ts';

export const stream: CheckDefinition<'stream'> = {
  explanation:
    'Reads the stream from its bytes, whatever its framing: the shape of its events, its text, its end.',
  reads: ({ probes }) => probes,
  readsFurther: ({ protocol }, plan) => streamsOf(plan, protocol),
  smaller: () => ({}),
  judge({ protocol, probes }, view, requirements) {
    const seen = everyReply(view, streamsOf(view.plan, protocol)).map((reply) => ({
      id: reply.id,
      attempt: reply.attempt,
      aspects: aspectsOf(view, reply, protocol),
      // A stream without any event is none of a model that says nothing.
      hasEvents: (streamOf(reply.state)?.events.length ?? 0) > 0,
    }));
    const isSilent = ({ aspects: { text }, hasEvents }: (typeof seen)[number]): boolean =>
      hasEvents && isFailure(text) && text.reason.kind === 'stream-without-text';
    const silent = seen.filter(isSilent).length;
    const ofTarget = silent > 0 ? silentStreams(view, protocol) : new Set();
    const all = seen.map((reply) =>
      isSilent(reply) && !ofTarget.has(reply.id)
        ? { ...reply, aspects: { ...reply.aspects, text: undefined } }
        : reply,
    );
    const none = noStream(view, probes) ?? inconclusive('no-stream-shows-it', describeFirst(view, probes));
    const names = new Map(
      all.flatMap(({ aspects }) => Object.keys(aspects)).map((name) => [`${protocol}.stream.${name}`, name]),
    );
    const outcomeOf = (requirement: string): Outcome => {
      const name = names.get(requirement) ?? '';
      const own = all.map(({ id, attempt, aspects }) => ({ id, attempt, aspect: aspects[name] }));
      const failure = failureIn(view, own);
      if (failure !== undefined || own.some((reply) => reply.aspect)) return failure ?? pass();
      return name === 'text' && silent > 0
        ? inconclusive({ kind: 'streams-silent', silent }, describeFirst(view, probes))
        : none;
    };
    const shows = shortestOf(
      view,
      all.filter(({ aspects }) => isBroken(aspects)),
    )?.id;
    return {
      findings: requirements.map((requirement) => ({ requirement, ...outcomeOf(requirement) })),
      ...(shows ? { shows } : {}),
    };
  },
};

function aspectsOf(view: EvidenceView, { id, state, isLast }: ReplyState, protocol: TextProtocol): Aspects {
  if (state.kind === 'unclear') {
    if (state.exchange === undefined || !isLast) return {};
    return { end: view.plan.source ? cutAgain(view, state.exchange, protocol) : cutShort(state.exchange) };
  }
  const reading = streamOf(state);
  if (reading === undefined) {
    if (state.kind === 'refused') return {};
    return { given: fail('no-stream', describeState(state)) };
  }
  const shape = streamShapes[protocol](reading);
  const malformed = malformedEvent(reading);
  const request = view.request(state.exchange.repeats ?? id);
  const explained =
    isBroken(shape) || malformed !== 'kept' || mayBeSilent(request) || mayBeRefusal(view, reading, request);
  const ofEvents = { given: 'kept', 'well-formed': malformed, ...shape } as const;
  // An error, or a stream in which the model says nothing, may come now and then: the attempt behind it is judged.
  return isLast
    ? { ...ofEvents, end: endOf(state.exchange, reading), text: textOutcome(reading, protocol, explained) }
    : ofEvents;
}

/** What nothing shows to be taken may be refused by a stream without events (7), unless another request with it gets text. */
function mayBeRefusal(view: EvidenceView, { events }: StreamReading, request: PlannedRequest | undefined) {
  if (events.length > 0 || request === undefined) return false;
  const settingsOf = ({ combination }: PlannedRequest): readonly Setting[] => combination?.settings ?? [];
  const { protocol } = request;
  const hasText = ({ id }: PlannedRequest): boolean => textOf(view.state(id), protocol) !== '';
  const isTaken = (setting: Setting): boolean =>
    view.plan.requests.some((other) => {
      const isSame =
        other.protocol === protocol && settingsOf(other).some((each) => isSameSetting(each, setting));
      return isSame && hasText(other);
    });
  return settingsOf(request).some((setting) => setting.mayBeRefused && !isTaken(setting));
}

/** A fragment is a piece of the text, and not all of it so far (4.1, 4.3); the events of Messages are not shown (6.1). */
function repeatsAll(texts: readonly string[], protocol: TextProtocol): boolean {
  if (areEventsUnspecified(protocol) || texts.length < decisions.growingFragments) return false;
  return texts.every((text, at) => at === 0 || isMoreThan(text, texts[at - 1] ?? ''));
}

const isMoreThan = (text: string, before: string) => text.length > before.length && text.startsWith(before);

function malformedEvent({ problems: [problem] }: StreamReading): Aspect {
  if (problem === undefined) return 'kept';
  const { index, message, excerpt: text } = problem;
  return fail({ kind: 'malformed-event', problem: message }, excerpt(text, excerptChars), {
    pointer: `event ${index}`,
  });
}

/** A stream without text fails, unless its events explain it; on Messages (6.1) any of their strings may be text. */
function textOutcome(reading: StreamReading, protocol: TextProtocol, explained: boolean): Aspect {
  const texts = textIncrements(reading, protocol).map(({ text }) => text);
  if (repeatsAll(texts, protocol)) return fail('fragments-repeat-all', describeValue(texts.slice(0, 3)));
  if (texts.length > 0) return 'kept';
  if (explained || (areEventsUnspecified(protocol) && mayBringText(reading))) return undefined;
  const seen = reading.events.map((event) => event.raw).join(' ');
  return fail('stream-without-text', excerpt(seen) || 'no event');
}

/** A stream that tells of an error has failed if its request failed before, too: one may now and then. Live traffic sends none again. */
function endOf({ attempts }: Exchange, reading: StreamReading): Aspect {
  const event = failureEvent(reading);
  if (event === undefined) return 'kept';
  if (attempts.at(-2)?.retry?.kind !== 'confirm-failure') return undefined;
  return fail('stream-ends-in-error', excerpt(event.raw), { pointer: `event ${event.index}` });
}

const isCut = (exchange: Exchange | undefined): boolean =>
  exchange?.ending.kind === 'cut' && exchange.response !== null;

/** Other clients send nothing again for us: of their streams, one that breaks off may be the network's fault. */
function cutAgain(view: EvidenceView, exchange: Exchange, protocol: TextProtocol): Aspect {
  const cut = streamsOf(view.plan, protocol).filter((id) => isCut(view.state(id).exchange)).length;
  if (!isCut(exchange) || cut < 2) return undefined;
  return fail({ kind: 'streams-cut', cut }, describeEnding(exchange));
}

const describeEnding = ({ attempts, response }: Exchange): string => {
  const last = attempts.at(-1);
  return `${last ? endingWords(last.ending) : 'the connection ended'} after ${response?.body.bytes ?? 0} bytes`;
};

/** The transport says that the reply broke off, in every attempt. */
function cutShort(exchange: Exchange): Aspect {
  const { attempts, response } = exchange;
  if (response === null || attempts.length < 2 || attempts.some((attempt) => attempt.ending.kind !== 'cut'))
    return undefined;
  return fail({ kind: 'stream-cut', attempts: attempts.length }, describeEnding(exchange));
}
