import { isObject } from '../../spec/json.ts';
import { defaultOf } from '../../spec/openapi.ts';
import { once } from '../../spec/once.ts';
import { protocolFacts } from '../../spec/protocols.ts';
import {
  areEventsUnspecified,
  type Family,
  type Group,
  isTextProtocol,
  type TextProtocol,
} from '../../spec/vocabulary.ts';
import { type EvidenceView, isCutOff, type State, streamOf, textOf } from '../checks/evidence-view.ts';
import { lastOf } from '../checks/shared/findings.ts';
import { isDamaged } from '../checks/shared/stream-shape.ts';
import { bodyOf, modelOf, tokenOf } from '../reading/sent-request.ts';
import { valueAt } from '../reading/json.ts';
import { textIncrements, textShape } from '../reading/text.ts';
import type { Exchange } from '../types/exchange.ts';
import { type TextDifference, unsaidOf } from '../types/text-differences.ts';
import { situationOf, sourceOf, type TextSource, turnsIn } from '../types/text-situations.ts';
import { numbered, timesIn, unnumbered } from '../types/numbered.ts';
import { neighboursOf, oncePerRecord, turnReader } from './sent-requests.ts';
import { differencesOf } from './text-differences.ts';

/** Who a model name and a token stand for, told from the requests that one caller alone sends. */
function callersIn(view: EvidenceView) {
  const [families, groups] = [new Map<unknown, Family>(), new Map<unknown, Group>()];
  for (const exchange of view.exchanges()) {
    const request = view.requestOf(exchange);
    const [caller, ...others] = request?.callers ?? [];
    if (caller === undefined || others.length > 0 || request?.credential.form !== 'right') continue;
    if (caller.model === undefined) families.set(modelOf(exchange.request), caller.family);
    groups.set(tokenOf(exchange.request), caller.group);
  }
  return {
    familyOf: ({ request }: Exchange) => families.get(modelOf(request)),
    groupOf: ({ request }: Exchange) => groups.get(tokenOf(request)),
  };
}

/** A body without what a model can't see: its own name, `stream`, where its system prompt stands, a default. The limit without `max_tokens` is not shown. */
function seenOf(body: Readonly<Record<string, unknown>>, protocol: TextProtocol): string {
  const unseen = ['model', 'stream', 'instructions', 'system', protocolFacts[protocol].content];
  // A parameter may say what is so without it.
  const rest = Object.entries(body).filter(
    ([name, value]) => !unseen.includes(name) && value !== defaultOf(protocol, name),
  );
  return JSON.stringify([turnsIn(body, protocol), rest.sort(([one], [two]) => (one < two ? -1 : 1))]);
}

function stringsIn(value: unknown): string {
  const strings: string[] = [];
  JSON.stringify(value, (_, each: unknown) => {
    if (typeof each === 'string') strings.push(each);
    return each;
  });
  return strings.join(' ');
}

/** Whether the text of a stream may stand elsewhere than where it was read: the events of Messages are not shown (6.1). */
function isUncertain(state: State, protocol: TextProtocol): boolean {
  const stream = streamOf(state);
  if (stream === undefined) return false;
  if (isDamaged(stream, protocol)) return true;
  if (!areEventsUnspecified(protocol)) return false;
  const read = new Set(textIncrements(stream, protocol).map(({ index }) => index));
  const others = stream.events.filter(({ index }) => !read.has(index));
  return textShape(stream, protocol) === null || others.some(({ data }) => hasText(data));
}

/** Whether an event of another shape holds a string that may be a piece of text. */
const hasText = (data: unknown): boolean =>
  isObject(data) &&
  ['/text', '/delta/text', '/content', '/completion'].some(
    (at) => typeof valueAt(data, at) === 'string' && valueAt(data, at) !== '',
  );

/** What a model says whatever text it is asked for, as a mock does: the same in all replies without a stream. */
function fixedTexts(view: EvidenceView, { familyOf }: ReturnType<typeof callersIn>) {
  const [asked, said] = [new Map<Family, Set<string>>(), new Map<Family, Set<string>>()];
  for (const exchange of view.exchanges()) {
    const [request, family] = [view.requestOf(exchange), familyOf(exchange)];
    if (!request?.says || !family || request.stream) continue;
    const state = view.state(exchange.id);
    if (state.kind !== 'answered') continue;
    asked.set(family, new Set([...(asked.get(family) ?? []), request.says.join(' ')]));
    said.set(family, new Set([...(said.get(family) ?? []), textOf(state, request.protocol)]));
  }
  const fixed = [...said].flatMap(([family, [first = '', ...others]]) =>
    first !== '' && others.length === 0 && (asked.get(family)?.size ?? 0) > 1
      ? [[family, first] as const]
      : [],
  );
  return new Map(fixed);
}

interface AskedText {
  readonly text: string;
  readonly source: TextSource;
}

/** How a reply differs from the texts that were asked for: what it has of an earlier response is none of its request. */
function differencesFrom(says: readonly AskedText[], said: string, all: string, isFollowing: boolean) {
  const found = says.flatMap(({ text, source }) => {
    const others = says.flatMap((other) => (other.text === text ? [] : [other.text]));
    const differences = [...differencesOf(text, said, all, others)];
    return differences.map((each) => (each === 'unsaid' ? unsaidOf[source] : each));
  });
  const isOfEarlier = (difference: TextDifference): boolean =>
    isFollowing && (difference === 'added' || difference === 'doubled');
  return new Set<TextDifference>(found.filter((difference) => !isOfEarlier(difference)));
}

/** A random number that each text and each word of ours has. */
const ownNumbers = /(?<!\d)\d{5}(?!\d)/g;

/**
 * A reply to a request for a text that is known, and how it differs from that. `stream`: null where it was left out; `has`: what the
 * request has besides the text; `seen`: all that a model can see of it; `sources`: where the texts stand that were asked for.
 */
export type SaidText = ReturnType<typeof saidTexts>[number];

/** All replies of the run to requests for a text that is known, by the models that are first in their family. */
export const saidTexts = oncePerRecord((view) => {
  const callers = callersIn(view);
  const { familyOf, groupOf } = callers;
  const fixed = fixedTexts(view, callers);
  const readTurn = once(() => turnReader(view));
  // Tells whether a text holds the number of another request: then it is a reply to that one, and judged as such (3).
  const bodies = view.exchanges().map(({ request }) => request.body ?? '');
  const sent = new Set(bodies.flatMap((body) => body.match(ownNumbers) ?? []));
  const isOfAnother = (said: string, body: string): boolean =>
    (said.match(ownNumbers) ?? []).some((number) => sent.has(number) && !body.includes(number));
  return view.exchanges().flatMap((exchange) => {
    const { id, part } = exchange;
    const request = view.requestOf(exchange);
    const [family, group] = [familyOf(exchange), groupOf(exchange)];
    if (part || !request?.says || !isTextProtocol(request.protocol) || !family || !group) return [];
    const { protocol } = request;
    const fixedText = fixed.get(family);
    const times = timesIn(exchange.request.body ?? '', request.says);
    const state = view.state(id);
    if (state.kind !== 'answered' || isCutOff(state) || isUncertain(state, protocol)) return [];
    // What has the shape of another endpoint is judged by that.
    if (state.reading.shape !== protocol) return [];
    const body = bodyOf(exchange.request) ?? {};
    const says: readonly AskedText[] =
      fixedText === undefined
        ? request.says
            .map((text) => numbered(text, times))
            .map((text) => ({ text, source: sourceOf(text, body, protocol) }))
        : [{ text: fixedText, source: 'question' }];
    const [said, all] = [textOf(state, protocol), stringsIn(body)];
    // That a reply has no text at all is judged by itself (service.output).
    if (said.trim() === '') return [];
    const isFollowing = 'previous_response_id' in body;
    if (!isFollowing && isOfAnother(said, all)) return [];
    const flag = valueAt(body, '/stream');
    return [
      {
        id,
        family,
        protocol,
        group,
        stream: typeof flag === 'boolean' ? flag : null,
        has: situationOf(body, protocol, exchange.request.headers.accept),
        neighbours: neighboursOf(readTurn()(lastOf(state, id))),
        seen: unnumbered(seenOf(body, protocol), times),
        sources: new Set(says.map(({ source }) => source)),
        asked: says.map(({ text }) => text) as readonly string[],
        said,
        differences: differencesFrom(says, said, all, isFollowing),
      },
    ];
  });
});
