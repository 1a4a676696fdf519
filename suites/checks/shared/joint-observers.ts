import type { JointAspect, ObservedAspect } from '../../types/checks/replies.ts';
import { isObject } from '../../../spec/json.ts';
import { count } from '../../../spec/text.ts';
import { isText, valueAt } from '../../reading/json.ts';
import { bodyOf, tokenOf } from '../../reading/sent-request.ts';
import { modelSent } from '../../reading/reply-words.ts';
import type { Exchange } from '../../types/exchange.ts';
import { documentOf, type State } from '../evidence-view.ts';
import { excerpt } from './findings.ts';
import { observers, type Seen, wordsOf } from './observers.ts';

/** Undefined where the replies of a case together show nothing of an aspect. */
type JointObserver = (states: readonly State[]) => Seen | undefined;

type Answered = Extract<State, { kind: 'answered' }>;

const answeredIn = (states: readonly State[]): readonly Answered[] =>
  states.filter((state) => state.kind === 'answered');

/** What a result holds, or each event of a stream. */
const documentsOf = (state: Answered): readonly unknown[] =>
  state.reading.kind === 'stream' ? state.reading.stream.events.map(({ data }) => data) : [documentOf(state)];

const firstAt = <T>(
  state: Answered,
  places: readonly string[],
  isWanted: (value: unknown) => value is T,
): T | undefined =>
  documentsOf(state)
    .flatMap((document) => places.map((place) => valueAt(document, place)))
    .find(isWanted);

/** Whether replies to different requests have the same id, and whether they went to different callers. */
function ids(states: readonly State[]): Seen | undefined {
  const found = new Map<string, Exchange[]>();
  for (const state of answeredIn(states)) {
    const id = firstAt(state, ['/id', '/response/id', '/message/id'], isText);
    if (id === undefined) continue;
    const own = found.get(id) ?? [];
    // One reply may stand for several requests.
    if (!own.some((exchange) => exchange.id === state.exchange.id)) found.set(id, [...own, state.exchange]);
  }
  const replies = [...found.values()].flat().length;
  if (replies < 2) return undefined;
  const callerOf = (exchange: Exchange): string =>
    JSON.stringify([tokenOf(exchange.request), modelSent(exchange)]);
  const repeated = [...found].filter(([, own]) => own.length > 1);
  const [shown] = [...repeated].sort(
    ([, one], [, other]) => new Set(other.map(callerOf)).size - new Set(one.map(callerOf)).size,
  );
  if (shown === undefined)
    return {
      value: `no id comes twice in ${count(replies, 'reply', 'replies')}`,
      stable: 'no id comes twice',
    };
  const [id, own] = shown;
  const whose = new Set(own.map(callerOf)).size > 1 ? 'of several callers' : 'of one caller';
  return {
    value: `${excerpt(id, 60)} is the id of ${own.length} replies, ${whose}`,
    stable: `an id comes twice, ${whose}`,
  };
}

const usagePlaces = ['/usage', '/message/usage', '/response/usage'] as const;

/** The tokens of the prompt, as the last usage of a reply has them. */
function promptOf(state: Answered): unknown {
  const usages = documentsOf(state)
    .flatMap((document) => usagePlaces.map((place) => valueAt(document, place)))
    .filter(isObject);
  return usages
    .map((usage) => usage.prompt_tokens ?? usage.input_tokens)
    .findLast((tokens) => tokens !== undefined);
}

/** A request but for its stream, with its caller. */
function askedIn({ exchange }: Answered): string {
  const { stream: _, ...rest } = bodyOf(exchange.request) ?? {};
  return JSON.stringify([tokenOf(exchange.request), rest]);
}

/** Whether streams tell how many tokens were used, and for the prompt as many as the same request without a stream. */
function streamUsage(states: readonly State[]): Seen | undefined {
  const answers = answeredIn(states);
  const streams = answers.filter(({ reading }) => reading.kind === 'stream');
  if (streams.length === 0) return undefined;
  const telling = streams.filter((state) => firstAt(state, usagePlaces, isObject) !== undefined);
  if (telling.length === 0) return 'no usage in the stream';
  if (telling.length < streams.length) return 'usage in some streams, and in others none';
  const pairs = telling.flatMap((stream) => {
    const whole = answers.find(
      (other) => other.reading.kind === 'result' && askedIn(other) === askedIn(stream),
    );
    const [own, others] = [promptOf(stream), whole && promptOf(whole)];
    return typeof own === 'number' && typeof others === 'number' ? [{ own, others }] : [];
  });
  const differing = pairs.find(({ own, others }) => own !== others);
  if (differing !== undefined)
    return {
      value: `usage in the stream, with ${differing.own} tokens for the prompt, where the whole reply has ${differing.others}`,
      stable: 'usage in the stream, another than in the whole reply',
    };
  return pairs.length > 0
    ? 'usage in the stream, for the prompt as in the whole reply'
    : 'usage in the stream';
}

/** What came of a request right after a stream that was broken off, where that had begun. */
function afterBrokenOff([broken, next]: readonly State[]): Seen | undefined {
  const status = broken?.exchange?.response?.status ?? 0;
  const isBroken = broken?.exchange?.ending.kind === 'oversize' && status >= 200 && status < 300;
  const seen = isBroken && next !== undefined && observers['answer-or-refusal'](next, { protocol: 'chat' });
  // The stream that was broken off shows nothing by itself.
  return seen ? { value: wordsOf(seen), stable: wordsOf(seen), whenUnclear: true } : undefined;
}

export const jointObservers: Readonly<Record<JointAspect, JointObserver>> = {
  ids,
  'stream-usage': streamUsage,
  'after-broken-off': afterBrokenOff,
};

export const isJoint = (aspect: ObservedAspect): aspect is JointAspect =>
  Object.hasOwn(jointObservers, aspect);
