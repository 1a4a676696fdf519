import type { Protocol, TextProtocol } from '../../spec/vocabulary.ts';
import type { Failure } from '../types/finding.ts';
import type { ReplyReading } from '../reading/reply-reading.ts';
import { replyText, textIncrements } from '../reading/text.ts';
import type { CheckDefinition } from './check-definition.ts';
import { type EvidenceView, hasOtherShape, textOf } from './evidence-view.ts';
import {
  describeFirst,
  describeReply,
  describeState,
  excerpt,
  dependsOnModel,
  fail,
  inconclusive,
  pass,
  unsaid,
} from './shared/findings.ts';
import { failureIn, replyOf } from './shared/failure-in.ts';
import { answersOf, sentOf, streamsOf } from './shared/meant-replies.ts';
import { valueAt } from '../reading/json.ts';
import { refusedText } from '../facts/refused-texts.ts';
import type { InconclusiveReason } from '../types/reasons/index.ts';

/** Whether a text is far longer than so many tokens could be. */
export const isBeyond = (text: string, limit: number): boolean => {
  // A token is hardly ever more than a word, and in running text never this many characters.
  const bound = { words: 2 * limit + 3, characters: 20 * limit + 20 };
  return text.length > bound.characters || text.split(/\s+/).filter(Boolean).length > bound.words;
};

/** The `usage.completion_tokens` of a chat completion (2.5) less what was thought and not said; undefined without such a count. */
export function completionTokens(reading: ReplyReading): number | undefined {
  if (reading.kind !== 'result') return undefined;
  const count = valueAt(reading.json, '/usage/completion_tokens');
  const thought = valueAt(reading.json, '/usage/completion_tokens_details/reasoning_tokens');
  if (!Number.isInteger(count)) return undefined;
  return Number(count) - (Number.isInteger(thought) ? Math.max(0, Number(thought)) : 0);
}

/** Long prompts may be refused for length or a word: neither limit nor filter is shown (8.4). Undefined where no control shows it. */
export function longRefused(view: EvidenceView, protocol: Protocol, long: readonly string[]) {
  const found = long.length === 0 ? undefined : refusedText(view, protocol, long);
  if (found === undefined) return undefined;
  const { by: _, ...figures } = found;
  const reason = {
    kind: 'word' in figures ? 'word-refused' : 'long-prompt-refused',
    ...figures,
  } as InconclusiveReason;
  return dependsOnModel(reason, unsaid(long), describeFirst(view, long));
}

export const tokenLimit: CheckDefinition<'token-limit'> = {
  explanation: 'Compares the length of the output with max_tokens.',
  reads: ({ probes, control }) => [...probes.map(({ exchange }) => exchange), control],
  smaller: () => ({ keeps: ['max_tokens'] }),
  judge(check, view) {
    const { protocol, probes, control } = check;
    const unlimited = view.state(control);
    const unlimitedText = textOf(unlimited, protocol);
    const limited = probes.flatMap(({ exchange, limit }) => {
      const state = view.state(exchange);
      if (state.kind !== 'answered' || saysTwice(state.reading, protocol)) return [];
      return [{ ...replyOf(view, exchange, exceeded(state.reading, protocol, limit) ?? 'kept'), limit }];
    });
    const failure = failureIn(view, limited);
    if (failure) return failure;
    if (limited.some(({ limit }) => isBeyond(unlimitedText, limit))) return pass();
    if (limited.length === 0) {
      const ids = probes.map(({ exchange }) => exchange);
      return (
        longRefused(view, protocol, [...ids, control]) ??
        inconclusive('no-limited-reply', describeFirst(view, ids))
      );
    }
    if (hasOtherShape(unlimited, protocol))
      return inconclusive('text-of-other-shape', describeState(unlimited));
    return unlimited.kind === 'answered'
      ? dependsOnModel('unlimited-no-longer', unsaid([control]), excerpt(unlimitedText))
      : inconclusive('unlimited-unanswered', describeState(unlimited));
  },
};

/** How a reply goes beyond its limit; undefined where it does not. */
function exceeded(reading: ReplyReading, protocol: TextProtocol, limit: number): Failure | undefined {
  const text = replyText(reading, protocol);
  const tokens = protocol === 'chat' ? completionTokens(reading) : undefined;
  if (!isBeyond(text, limit) && (tokens === undefined || tokens <= limit)) return undefined;
  const reason = { kind: 'max-tokens-exceeded', limit, inStream: reading.kind === 'stream' } as const;
  return tokens === undefined
    ? fail(reason, excerpt(text))
    : fail(reason, `completion_tokens ${tokens}: ${excerpt(text)}`, { pointer: '/usage/completion_tokens' });
}

/** Whether each piece holds all before it, or comes twice. */
function repeatsPieces(pieces: readonly string[]): boolean {
  const cumulative = pieces.every((piece, at) => piece.startsWith(pieces[at - 1] ?? ''));
  const inPairs = pieces.every((piece, at) => piece === pieces[at - (at % 2)]);
  return pieces.length > 2 && (cumulative || inPairs);
}

/** A stream that says its text more than once is long for another reason. */
const saysTwice = (reading: ReplyReading, protocol: Protocol): boolean =>
  reading.kind === 'stream' &&
  repeatsPieces(textIncrements(reading.stream, protocol).map(({ text }) => text));

export const output: CheckDefinition<'output'> = {
  explanation: 'Passes where a reply of the endpoint carries text, streamed or not.',
  reads: ({ probes }) => probes,
  readsFurther: ({ protocol }, plan) => [...answersOf(plan, protocol), ...streamsOf(plan, protocol)],
  judge({ protocol, probes }, view) {
    const { plan } = view;
    const all = sentOf(view, [...probes, ...answersOf(plan, protocol), ...streamsOf(plan, protocol)]);
    const answered = all.map((id) => view.state(id)).filter((state) => state.kind === 'answered');
    if (answered.some((state) => textOf(state, protocol).trim() !== '')) return pass();
    const [first] = answered;
    if (first === undefined) return inconclusive('nothing-answered', describeFirst(view, probes));
    const actual = describeReply(first.exchange);
    // A field of another name or type is judged by its own requirement, and not a second time here.
    return answered.some((state) => state.reading.kind === 'result' && !hasTextField(state.reading.json))
      ? inconclusive('no-text-field', actual)
      : fail('no-text', actual);
  },
};

const hasTextField = (json: unknown) => /"(text|content|output_text)":""/.test(JSON.stringify(json) ?? '');
