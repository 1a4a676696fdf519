import { decisions } from '../../spec/decisions.ts';
import type { Protocol, TextProtocol } from '../../spec/vocabulary.ts';
import { type EvidenceView, type State, streamOf } from '../checks/evidence-view.ts';
import { isSilent, isSilentStream } from '../reading/text.ts';
import { chanceOf, chanceOfDifference, levelOf, type Tally, testsIn } from './exact-test.ts';
import { oncePerRecord } from './sent-requests.ts';
import { isTextDue, validExchanges } from './valid-replies.ts';

/** The answers to a valid request that are due text, in the order of its attempts: whether each has none. */
type DueText = ReturnType<typeof dueTexts>[number];

/** Every endpoint asks for the same. */
const dueTexts = oncePerRecord((view) =>
  validExchanges(view).flatMap(([request, { id }]) => {
    const [caller] = request.callers;
    if (caller === undefined || !isTextDue(request, caller)) return [];
    const { protocol, stream } = request;
    const isSilent = view.attempts(id).flatMap((state) => hasNoText(state, protocol) ?? []);
    return isSilent.length === 0 ? [] : [{ id, protocol, stream, isSilent }];
  }),
);

/** Whether a reply has no text; undefined where it is neither an answer nor a stream. */
function hasNoText(state: State, protocol: Protocol): boolean | undefined {
  const stream = streamOf(state);
  if (stream !== undefined) return isSilentStream(stream, protocol);
  return state.kind === 'answered' ? isSilent(state.reading, protocol) : undefined;
}

const tallyOf = (silent: readonly boolean[]): Tally => ({
  seen: silent.filter(Boolean).length,
  of: silent.length,
});

/** What first came of each request: how often it is sent again depends on what came. */
const firstOf = (texts: readonly DueText[]): Tally =>
  tallyOf(texts.flatMap(({ isSilent: [first] }) => first ?? []));

/** The ids of the streams without text that are the target's, and not a model's that says nothing now and then (principle 9). */
export function silentStreams(view: EvidenceView, protocol: TextProtocol): ReadonlySet<string> {
  const all = dueTexts(view);
  const level = levelOf(testsIn(view.plan));
  const isOwn = (text: DueText): boolean => text.stream && text.protocol === protocol;
  const own = all.filter(isOwn);
  const silent = own.filter(({ isSilent }) => isSilent.at(-1));
  const others = firstOf(all.filter((text) => !isOwn(text)));
  const isNever = others.seen === others.of && chanceOf(firstOf(all), decisions.lawfulSilence) <= level;
  if (isNever || chanceOfDifference(firstOf(own), others) <= level)
    return new Set(silent.map(({ id }) => id));
  const isMute = (one: DueText): boolean =>
    one.isSilent.every(Boolean) &&
    chanceOfDifference(tallyOf(one.isSilent), firstOf(all.filter((other) => other !== one))) <= level;
  return new Set(silent.filter(isMute).map(({ id }) => id));
}
