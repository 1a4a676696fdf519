import type { Protocol, TextProtocol } from '../../spec/vocabulary.ts';
import type { Failure, Judgement } from '../model/finding.ts';
import type { ReplyReading } from '../reading/reply.ts';
import { replyText, textIncrements } from '../reading/text.ts';
import type { CheckDefinition } from './definition.ts';
import type { EvidenceView } from './evidence-view.ts';
import { repeatsPieces } from './shared/completeness.ts';
import { describeFirst, describeState, excerpt } from './shared/describe.ts';
import { fail, inconclusive, oneFinding, pass } from './shared/findings.ts';
import { longRefused } from './shared/long-prompt.ts';

/** The output is no longer than max_tokens allows. */
export interface TokenLimit {
  readonly kind: 'token-limit';
  readonly requirement: string;
  readonly protocol: TextProtocol;
  readonly probes: readonly { readonly exchange: string; readonly limit: number }[];
  /** The same request without a limit. */
  readonly control: string;
  /** A request with a short prompt: answered where all the others are refused, it is their prompt. */
  readonly shortPrompt: string;
}

/** `max_tokens` limits the output: by the count that chat gives, and everywhere by a text far too long (4.2, 4.3). */
export const tokenLimit: CheckDefinition<TokenLimit> = {
  kind: 'token-limit',
  explanation: 'Compares the length of the output with max_tokens.',
  reads: ({ probes, control, shortPrompt }) => [
    ...probes.map(({ exchange }) => exchange),
    control,
    shortPrompt,
  ],
  judge,
};

/** A token is hardly ever more than a word, and in running text never this many characters. */
const longest = (limit: number) => ({ words: 2 * limit + 3, characters: 20 * limit + 20 });

const isBeyond = (text: string, limit: number): boolean => {
  const bound = longest(limit);
  return text.length > bound.characters || text.split(/\s+/).filter(Boolean).length > bound.words;
};

function judge(check: TokenLimit, view: EvidenceView): Judgement {
  const { requirement, protocol, probes, control, shortPrompt } = check;
  const unlimited = view.state(control);
  const unlimitedText = unlimited.kind === 'answered' ? replyText(unlimited.reading, protocol) : '';
  let kept = false;
  let decided = false;
  for (const { exchange, limit } of probes) {
    const state = view.state(exchange);
    if (state.kind !== 'answered' || saysTwice(state.reading, protocol)) continue;
    const failure = exceeded(state.reading, protocol, limit);
    if (failure) return oneFinding(fail(requirement, failure), exchange);
    decided = true;
    kept ||= isBeyond(unlimitedText, limit);
  }
  if (kept) return oneFinding(pass(requirement));
  if (!decided) {
    const ids = probes.map(({ exchange }) => exchange);
    const actual = describeFirst(view, ids);
    return oneFinding(
      longRefused(requirement, view, [...ids, control], [shortPrompt]) ??
        inconclusive(requirement, { kind: 'no-limited-reply' }, { actual }),
    );
  }
  return oneFinding(
    unlimited.kind === 'answered'
      ? inconclusive(
          requirement,
          { kind: 'unlimited-no-longer' },
          { actual: excerpt(unlimitedText), nonGating: 'model-behaviour' },
        )
      : inconclusive(requirement, { kind: 'unlimited-unanswered' }, { actual: describeState(unlimited) }),
  );
}

/** How a reply goes beyond its limit; undefined where it does not. */
function exceeded(reading: ReplyReading, protocol: TextProtocol, limit: number): Failure | undefined {
  const text = replyText(reading, protocol);
  const tokens =
    protocol === 'chat' && reading.kind === 'result' ? completionTokens(reading.json) : undefined;
  if (!isBeyond(text, limit) && (tokens === undefined || tokens <= limit)) return undefined;
  const inStream = reading.kind === 'stream';
  return {
    reason: { kind: 'max-tokens-exceeded', limit, inStream },
    actual: tokens === undefined ? excerpt(text) : `completion_tokens ${tokens}: ${excerpt(text)}`,
    ...(tokens === undefined ? {} : { pointer: '/usage/completion_tokens' }),
  };
}

/** A stream that says its text more than once is long for another reason. */
function saysTwice(reading: ReplyReading, protocol: Protocol): boolean {
  if (reading.kind !== 'stream') return false;
  return repeatsPieces(textIncrements(reading.stream, protocol).map(({ text }) => text));
}

const at = (value: unknown, name: string): unknown =>
  (value as Readonly<Record<string, unknown>> | null | undefined)?.[name];

/** Without what the usage says was thought and not said: what is limited and seen is the output. */
function completionTokens(json: unknown): number | undefined {
  const usage = at(json, 'usage');
  const count = at(usage, 'completion_tokens');
  const thought = at(at(usage, 'completion_tokens_details'), 'reasoning_tokens');
  if (!Number.isInteger(count)) return undefined;
  return Number(count) - (Number.isInteger(thought) ? Math.max(0, Number(thought)) : 0);
}
