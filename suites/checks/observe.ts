import { modelSent } from '../reading/reply-words.ts';
import type { JointAspect, ObservedAspect } from '../types/checks/replies.ts';
import type { CheckDefinition } from './check-definition.ts';
import type { EvidenceView, State } from './evidence-view.ts';
import { describeUnclear, inconclusive, pass, excerpt } from './shared/findings.ts';
import { noStream } from './shared/valid-request.ts';
import { observers, type Seen, wordsOf } from './shared/observers.ts';
import { isUnasked } from './served.ts';
import { isObject } from '../../spec/json.ts';
import { count } from '../../spec/text.ts';
import { isText, valueAt } from '../reading/json.ts';
import { bodyOf, tokenOf } from '../reading/sent-request.ts';
import type { Exchange } from '../types/exchange.ts';

type Answered = Extract<State, { kind: 'answered' }>;

const answeredIn = (states: readonly State[]) => states.filter((state) => state.kind === 'answered');

/** What stands at these places of a result, or of each event of a stream. */
function valuesAt({ reading }: Answered, places: readonly string[]): readonly unknown[] {
  const documents =
    reading.kind === 'stream' ? reading.stream.events.map(({ data }) => data) : [reading.json];
  return documents.flatMap((document) => places.map((place) => valueAt(document, place)));
}

/** Whether replies to different requests have the same id, and whether they went to different callers. */
function ids(states: readonly State[]): Seen | undefined {
  const found = new Map<string, Exchange[]>();
  for (const state of answeredIn(states)) {
    const id = valuesAt(state, ['/id', '/response/id', '/message/id']).find(isText);
    if (id === undefined) continue;
    const own = found.get(id) ?? [];
    // One reply may stand for several requests.
    if (!own.some((exchange) => exchange.id === state.exchange.id)) found.set(id, [...own, state.exchange]);
  }
  const replies = [...found.values()].flat().length;
  if (replies < 2) return undefined;
  const callerOf = (exchange: Exchange) => JSON.stringify([tokenOf(exchange.request), modelSent(exchange)]);
  const repeated = [...found].filter(([, own]) => own.length > 1);
  const [shown] = [...repeated].sort(
    ([, one], [, other]) => new Set(other.map(callerOf)).size - new Set(one.map(callerOf)).size,
  );
  if (shown === undefined) {
    const stable = 'no id comes twice';
    return { value: `${stable} in ${count(replies, 'reply', 'replies')}`, stable };
  }
  const [id, own] = shown;
  const whose = new Set(own.map(callerOf)).size > 1 ? 'of several callers' : 'of one caller';
  const value = `${excerpt(id, 60)} is the id of ${own.length} replies, ${whose}`;
  return { value, stable: `an id comes twice, ${whose}` };
}

const usagePlaces = ['/usage', '/message/usage', '/response/usage'] as const;

/** The tokens of the prompt, as the last usage of a reply has them. */
const promptOf = (state: Answered): unknown =>
  valuesAt(state, usagePlaces)
    .filter(isObject)
    .map((usage) => usage.prompt_tokens ?? usage.input_tokens)
    .findLast((tokens) => tokens !== undefined);

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
  const telling = streams.filter((state) => valuesAt(state, usagePlaces).some(isObject));
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
  const usage = 'usage in the stream';
  if (differing === undefined)
    return pairs.length > 0 ? `${usage}, for the prompt as in the whole reply` : usage;
  const { own, others } = differing;
  return {
    value: `${usage}, with ${own} tokens for the prompt, where the whole reply has ${others}`,
    stable: `${usage}, another than in the whole reply`,
  };
}

/** What came of a request right after a stream that was broken off, where that had begun. */
function afterBrokenOff([broken, next]: readonly State[]): Seen | undefined {
  const status = broken?.exchange?.response?.status ?? 0;
  const isBroken = broken?.exchange?.ending.kind === 'oversize' && status >= 200 && status < 300;
  const seen = isBroken && next !== undefined && observers['answer-or-refusal'](next, { protocol: 'chat' });
  // The stream that was broken off shows nothing by itself.
  return seen ? { value: wordsOf(seen), stable: wordsOf(seen), whenUnclear: true } : undefined;
}

/** Undefined where the replies of a case together show nothing of an aspect. */
const jointObservers: Readonly<Record<JointAspect, (states: readonly State[]) => Seen | undefined>> = {
  ids,
  'stream-usage': streamUsage,
  'after-broken-off': afterBrokenOff,
};

const isJoint = (aspect: ObservedAspect): aspect is JointAspect => Object.hasOwn(jointObservers, aspect);

export const observe: CheckDefinition<'observe'> = {
  explanation: 'It is unspecified: what the target does is written down, and nothing is failed.',
  reads: ({ probes, control }) => [...probes, ...(control ? [control.exchange] : [])],
  judge(check, view) {
    const { requirement, subject, aspect, probes } = check;
    const states = probes.map((id) => view.state(id));
    const { control, ...asked } = check;
    const compared = control ? { control: { ...control, state: view.state(control.exchange) } } : {};
    const models = aspect === 'refusal-internals' ? modelsAsked(view) : [];
    const look = (): readonly (Seen | undefined)[] =>
      isJoint(aspect)
        ? [jointObservers[aspect](states)]
        : states.map((state) => observers[aspect](state, { ...asked, ...compared, models }));
    const seen = look().filter((one) => one !== undefined);
    if (seen.length > 0) {
      const value = [...new Set(seen.map(wordsOf))].join('; ');
      const stable = stableValue(view, probes, seen);
      const findings = [{ requirement, ...pass() }];
      const observation = { requirement, subject, value };
      return { findings, observations: [stable === value ? observation : { ...observation, stable }] };
    }
    const streamless = noStream(view, probes);
    if (streamless) return streamless;
    const [first] = states;
    return first?.kind === 'unclear'
      ? inconclusive({ kind: 'not-observed', seen: describeUnclear(first) })
      : inconclusive('not-shown-by-reply');
  },
};

const modelsAsked = (view: EvidenceView): readonly string[] => [
  ...new Set(
    view
      .exchanges()
      .filter((exchange) => view.requestOf(exchange)?.expect === 'answer')
      .flatMap((exchange) => modelSent(exchange) ?? []),
  ),
];

/** A refusal is no behaviour of its own where no request of its protocol is answered. */
function isUnfounded(view: EvidenceView, id: string): boolean {
  if (view.state(id).kind !== 'refused') return false;
  const protocol = view.request(id)?.protocol;
  return !view.plan.requests.some((one) => one.protocol === protocol && view.kind(one.id) === 'answered');
}

/** What of an observation is the same in each run of an unchanged target; null where nothing is, or this run could not see it whole. */
function stableValue(view: EvidenceView, probes: readonly string[], seen: readonly Seen[]): string | null {
  // What a token with a spent limit is told is always a reply that says "later".
  const needsReplies = seen.some((one) => typeof one === 'string' || one.whenUnclear !== true);
  if (needsReplies && probes.some((id) => isUnasked(view.state(id)))) return null;
  if (probes.some((id) => isUnfounded(view, id))) return null;
  const parts = seen.map((one) => (typeof one === 'string' ? one : one.stable));
  const known = parts.filter((part) => part !== null);
  return known.length === parts.length ? [...new Set(known)].join('; ') : null;
}
