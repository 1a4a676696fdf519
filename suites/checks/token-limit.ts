import type { Output, TokenLimit } from '../types/checks/replies.ts';
import type { Protocol, TextProtocol } from '../../spec/vocabulary.ts';
import type { Failure, Outcome } from '../types/finding.ts';
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
import { failureIn, lastOf } from './shared/failure-in.ts';
import { completionTokens, isBeyond, longRefused } from './shared/token-count.ts';
import { answersOf, sentOf, streamsOf } from './shared/meant-replies.ts';

export const tokenLimit: CheckDefinition<TokenLimit> = {
  kind: 'token-limit',
  explanation: 'Compares the length of the output with max_tokens.',
  reads: ({ probes, control }) => [...probes.map(({ exchange }) => exchange), control],
  smaller: () => ({ keeps: ['max_tokens'] }),
  judge: judgeLimit,
};

function judgeLimit(check: TokenLimit, view: EvidenceView): Outcome {
  const { protocol, probes, control } = check;
  const unlimited = view.state(control);
  const unlimitedText = textOf(unlimited, protocol);
  const limited = probes.flatMap(({ exchange, limit }) => {
    const state = view.state(exchange);
    if (state.kind !== 'answered' || saysTwice(state.reading, protocol)) return [];
    return [
      {
        ...lastOf(state, exchange),
        limit,
        aspect: exceeded(state.reading, protocol, limit) ?? 'kept',
      } as const,
    ];
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
}

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

export const output: CheckDefinition<Output> = {
  kind: 'output',
  explanation: 'Passes where a reply of the endpoint carries text, streamed or not.',
  reads: ({ probes }) => probes,
  readsFurther: ({ protocol }, plan) => [...answersOf(plan, protocol), ...streamsOf(plan, protocol)],
  judge: judgeOutput,
};

function judgeOutput({ protocol, probes }: Output, view: EvidenceView): Outcome {
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
}

const hasTextField = (json: unknown): boolean =>
  /"(text|content|output_text)":""/.test(JSON.stringify(json) ?? '');
