import type { Failure, Outcome } from '../types/finding.ts';
import { type InconclusiveReason, wordsOf } from '../types/reasons/index.ts';
import { hasNoBlock, replyText, textIncrements } from '../reading/text.ts';
import type { CheckDefinition } from './check-definition.ts';
import { type EvidenceView, hasOtherShape, mayBeSilent, textOf } from './evidence-view.ts';
import {
  type Aspect,
  dependsOnModel,
  describeFirst,
  describeReply,
  describeState,
  excerpt,
  fail,
  failureIn,
  inconclusive,
  type JudgedReply,
  pass,
  replyOf,
  unsaid,
  untested,
} from './shared/findings.ts';
import { fieldViolations, joinedText, violationAround } from './shared/field-violations.ts';
import { answersOf, everyReply, type ReplyState, sentOf, streamsOf } from './shared/meant-replies.ts';
import { decisions } from '../../spec/decisions.ts';
import { levelOf, testsIn, timesNeeded } from '../facts/exact-test.ts';
import type { Attempt } from '../types/exchange.ts';
import { isAnswerDue } from '../reading/request-facts.ts';
import { isCutResult } from '../facts/valid-replies.ts';
import type { Protocol, TextProtocol } from '../../spec/vocabulary.ts';
import type { ReplyReading } from '../reading/reply-reading.ts';
import { valueAt } from '../reading/json.ts';
import { refusedText } from '../facts/refused-texts.ts';

export const wholeResults: CheckDefinition<'whole-results'> = {
  explanation:
    'Looks at every reply to every valid request without a stream, those included that another attempt followed: a result whose JSON ends in the middle, in a reply that is complete, fails, and so does one with something behind it, and one that the connection ends in every attempt, more often than passing outages explain, while others are answered.',
  reads: ({ probes }) => probes,
  smaller: () => ({}),
  judge(_, view) {
    const due = view.plan.requests.filter((request) => !request.stream && isAnswerDue(request));
    const states = everyReply(
      view,
      due.map(({ id }) => id),
    );
    const judged = states.map((reply) => ({ ...reply, aspect: aspectOf(view, reply) }));
    const isWhole = judged.some(({ aspect }) => aspect === 'kept');
    return failureIn(view, judged) ?? (isWhole ? pass() : inconclusive('nothing-answered'));
  },
};

/** A success that the transport breaks off in every attempt, more than outages explain, while others are answered. */
function brokenOff(view: EvidenceView, { state, isLast }: ReplyState): Aspect {
  const { attempts = [], response } = state.exchange ?? {};
  const isBroken = ({ ending, status }: Attempt): boolean =>
    ending.kind === 'cut' && status !== null && status >= 200 && status < 300;
  const needed = timesNeeded(decisions.lawfulOutages, levelOf(testsIn(view.plan)));
  if (!isLast || !response?.body.bytes || attempts.length < needed || !attempts.every(isBroken))
    return undefined;
  const [from = '', to = ''] = [attempts[0]?.startedAt, attempts.at(-1)?.startedAt];
  const isOutage = !view
    .exchanges()
    .some(
      ({ id, timing: { startedAt } }) => startedAt > from && startedAt < to && view.kind(id) === 'answered',
    );
  return isOutage
    ? undefined
    : fail({ kind: 'result-broken-off', attempts: attempts.length }, describeState(state));
}

/** What is wrong with a result as a document; undefined where the reply is no result. */
function aspectOf(view: EvidenceView, reply: ReplyState): Aspect {
  const { state } = reply;
  if (isCutResult(state)) return fail('result-cut', describeState(state));
  if (state.kind === 'unclear') return brokenOff(view, reply);
  if (state.kind !== 'answered') return undefined;
  const trail = state.reading.kind === 'result' ? state.reading.trail : undefined;
  return trail === undefined
    ? 'kept'
    : fail('result-trailed', `${describeState(state)}, and behind it ${JSON.stringify(excerpt(trail))}`);
}

export const resultFields: CheckDefinition<'result-fields'> = {
  explanation: 'Reads the field in every result of the protocol that the run got.',
  reads: ({ probes }) => probes,
  readsFurther: ({ protocol }, plan) => answersOf(plan, protocol),
  smaller: () => ({}),
  judge({ protocol, requirements }, view) {
    const tallies = new Map<string, Tally>(requirements.map((id) => [id, { replies: [] }]));
    let results = 0;
    for (const { id, attempt, state } of everyReply(view, answersOf(view.plan, protocol))) {
      if (state.kind !== 'answered' || state.reading.kind !== 'result') continue;
      const { json } = state.reading;
      results += 1;
      const found = fieldViolations(protocol, json);
      const mayLackBlocks = mayBeSilent(view.request(state.exchange.repeats ?? id)) && hasNoBlock(json);
      for (const [requirement, tally] of tallies) {
        if (mayLackBlocks && requirement === 'messages.result.content.text') continue;
        const around = violationAround(requirement, found);
        if (around)
          tally.within ??= { seen: wordsOf(around.failure.reason).message, requirement: around.requirement };
        const aspect = requirement === joined ? joinedText(json) : fieldAspect(requirement, found);
        if (aspect !== undefined) tally.replies.push({ id, attempt, aspect });
      }
    }
    const findings = [...tallies].map(([requirement, tally]) => ({
      requirement,
      ...(failureIn(view, tally.replies) ?? unbroken(requirement, tally, results)),
    }));
    const shows = findings
      .map((finding) => (finding.verdict === 'fail' ? finding.exchange : undefined))
      .find(Boolean);
    return { findings, ...(shows ? { shows } : {}) };
  },
};

const joined = 'responses.result.output-text.equal';

/** What all results together say of one requirement. */
interface Tally {
  readonly replies: JudgedReply[];
  /** The field around it that is wrong. */
  within?: { readonly seen: string; readonly requirement: string };
}

/** Where the field that contains it is wrong itself, it is not judged. */
const fieldAspect = (requirement: string, found: ReadonlyMap<string, Failure>): Aspect =>
  found.get(requirement) ?? (violationAround(requirement, found) ? undefined : 'kept');

function unbroken(requirement: string, { replies, within }: Tally, results: number): Outcome {
  if (replies.length > 0) return pass();
  return requirement === joined && results > 0
    ? untested('no-single-text-part')
    : inconclusive({ kind: 'no-result-with-field', ...(within ? { within } : {}) });
}

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
