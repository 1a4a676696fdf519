import type { Protocol } from '../../spec/vocabulary.ts';
import type { Check } from '../model/case.ts';
import type { Judgement } from '../model/finding.ts';
import type { ReplyReading } from '../reading/reply.ts';
import { replyText, textIncrements } from '../reading/text.ts';
import { repeatsPieces } from './completeness.ts';
import type { EvidenceView } from './evidence-view.ts';
import { longRefused } from './long-prompt.ts';
import { excerpt, fail, inconclusive, pass, describeState } from './findings.ts';

/** A token is hardly ever more than a word, and in running text never this many characters. */
const longest = (limit: number) => ({ words: 2 * limit + 3, characters: 20 * limit + 20 });

const isBeyond = (text: string, limit: number): boolean => {
  const bound = longest(limit);
  return text.length > bound.characters || text.split(/\s+/).filter(Boolean).length > bound.words;
};

/** `max_tokens` limits the output: by the count that chat gives, and everywhere by a text far too long (4.2, 4.3). */
export function tokenLimit(check: Extract<Check, { kind: 'token-limit' }>, view: EvidenceView): Judgement {
  const { requirement, protocol, probes, control, plain } = check;
  const free = view.state(control);
  const unbounded = free.kind === 'answered' ? replyText(free.reading, protocol) : '';
  let kept = false;
  let decided = false;
  for (const { exchange, limit } of probes) {
    const state = view.state(exchange);
    if (state.kind !== 'answered' || saysTwice(state.reading, protocol)) continue;
    const text = replyText(state.reading, protocol);
    const tokens =
      protocol === 'chat' && state.reading.kind === 'result'
        ? completionTokens(state.reading.json)
        : undefined;
    if (isBeyond(text, limit) || (tokens !== undefined && tokens > limit)) {
      const actual = tokens === undefined ? excerpt(text) : `completion_tokens ${tokens}: ${excerpt(text)}`;
      const streamed = state.reading.kind === 'stream' ? ', in a stream' : '';
      const message = `more output than max_tokens = ${limit} allows${streamed}`;
      const pointer = tokens === undefined ? {} : { pointer: '/usage/completion_tokens' };
      return {
        findings: [fail(requirement, { message, expected: `at most ${limit} tokens`, actual, ...pointer })],
        shows: exchange,
      };
    }
    decided = true;
    kept ||= isBeyond(unbounded, limit);
  }
  if (kept) return { findings: [pass(requirement)] };
  if (decided && free.kind !== 'answered') {
    return {
      findings: [
        inconclusive(requirement, 'the same request without a limit is not answered', describeState(free)),
      ],
    };
  }
  if (decided) {
    const message = 'without a limit the reply is no longer: the model was not in want of it';
    return { findings: [inconclusive(requirement, message, excerpt(unbounded), 'model-behaviour')] };
  }
  const long = [...probes.map(({ exchange }) => exchange), control];
  const [first] = probes;
  const actual = first ? describeState(view.state(first.exchange)) : 'not sent';
  const open = inconclusive(requirement, 'no reply with a limit', actual);
  return { findings: [longRefused(requirement, view, long, [plain]) ?? open] };
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
