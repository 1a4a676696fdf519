import type { EvidenceView, State } from '../checks/evidence-view.ts';
import { begunMs } from '../reading/lock-outs.ts';
import { isAnswerDue } from '../reading/request-facts.ts';
import type { Attempt } from '../types/exchange.ts';
import type { PlannedRequest } from '../types/plan.ts';
import { limitWords } from './limit-words.ts';

/** From when to when something was under way, in milliseconds since 1970. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** What the spent token got in one attempt. */
interface SpentReply extends Span {
  readonly request: PlannedRequest;
  readonly state: State;
  /** It was told a limit. */
  readonly isTold: boolean;
  /** No valid request got its words. */
  readonly isOwn: boolean;
  /** It was asked once more, beside a control of the same token. */
  readonly isAgain: boolean;
}

/** What the replies to a spent token show of its limit. */
export interface SpentLimit {
  /** What it got before any answer to it had come; all where none came. */
  readonly before: readonly SpentReply[];
  /** A request that was told it at first is not told it any more since the token was answered. */
  readonly hasEnded: boolean;
  /** It was told between two answers to the token: what locks a token out, or whatever passes, is ruled out. */
  readonly isHeld: boolean;
  /** It was told behind an answer, and its request not asked since: it may have been a lock-out. */
  readonly isOpen: boolean;
  /** What each request got when it was asked last. */
  readonly last: readonly SpentReply[];
  readonly answers: readonly SpentReply[];
}

/** Times are recorded in whole milliseconds: what begins in the one in which another ends is behind it. */
const spanOf = (attempt: Attempt): Span => {
  const from = begunMs(attempt);
  return { from, to: Math.floor(from + attempt.ms) };
};

function repliesToSpent(view: EvidenceView): readonly SpentReply[] {
  const limits = limitWords(view);
  const replies = view.exchanges().flatMap((exchange): readonly SpentReply[] => {
    const request = view.requestOf(exchange);
    if (request?.expect !== 'limited') return [];
    const isAgain = exchange.repeats !== undefined;
    return view.attempts(exchange.id).flatMap((state, at): readonly SpentReply[] => {
      const attempt = exchange.attempts[at];
      if (attempt === undefined) return [];
      const isTold = state.kind !== 'answered' && limits.isTold(exchange, attempt);
      return [{ ...spanOf(attempt), request, state, isTold, isAgain, isOwn: limits.mayBeTold(attempt) }];
    });
  });
  return replies.sort((one, other) => one.from - other.from);
}

/** When requests were under way that may lock a token out: all but valid ones and those with the spent token. */
const wrongSpans = (view: EvidenceView): readonly Span[] =>
  view.exchanges().flatMap((exchange) => {
    const request = view.requestOf(exchange);
    const isWrong = request !== undefined && !isAnswerDue(request) && request.expect !== 'limited';
    return isWrong ? exchange.attempts.map(spanOf) : [];
  });

/** Whether the token was answered before and after, with nothing wrong under way from one to the other (principle 4). */
function isBetweenAnswers(reply: Span, answers: readonly Span[], wrong: readonly Span[]): boolean {
  const before = answers.findLast(({ to }) => to <= reply.from);
  const after = answers.find(({ from }) => from >= reply.to);
  if (before === undefined || after === undefined) return false;
  return !wrong.some(({ from, to }) => to >= before.from && from <= after.to);
}

/** Reads what became of the limit of the spent token. Pure. */
export function spentLimit(view: EvidenceView): SpentLimit {
  const replies = repliesToSpent(view);
  const answers = replies.filter(({ state }) => state.kind === 'answered');
  const answeredMs = Math.min(...answers.map(({ to }) => to));
  const before = replies.filter(({ from, state }) => from < answeredMs && state.kind !== 'answered');
  const toldFirst = new Set(before.filter(({ isTold }) => isTold).map(({ request }) => request));
  const last = [...new Map(replies.map((reply) => [reply.request, reply])).values()];
  const told = last.filter(({ isTold }) => isTold);
  const wrong = wrongSpans(view);
  return {
    before,
    hasEnded: last.some(
      ({ request, from, isTold }) => !isTold && from >= answeredMs && toldFirst.has(request),
    ),
    isHeld: told.some((reply) => reply.isAgain && reply.isOwn && isBetweenAnswers(reply, answers, wrong)),
    isOpen: told.some(({ from }) => from >= answeredMs),
    last,
    answers,
  };
}
