import { groupBy } from '../../spec/group-by.ts';
import type { EvidenceView } from '../checks/evidence-view.ts';
import { callerOf } from '../reading/sent-request.ts';
import { isAnyWithin, type Span, spanOf } from '../types/exchange.ts';
import { isRefusalWithRetryAfter } from '../reading/transient.ts';
import { limitWords, seenAt } from './limit-words.ts';
import { validExchanges } from './valid-replies.ts';

type SpentReply = ReturnType<typeof repliesToSpent>[number];

export type SpentLimit = ReturnType<typeof spentLimit>;

function repliesToSpent(view: EvidenceView) {
  const limits = limitWords(view);
  const asked = view.exchanges().flatMap((exchange) => {
    const request = view.requestOf(exchange);
    return request?.expect === 'limited' ? [{ exchange, request }] : [];
  });
  // A target that has a status for limits tells a token whose limit ended another refusal by others.
  const hasLimitStatus = asked.some(({ exchange }) => exchange.attempts.some(({ status }) => status === 429));
  const replies = asked.flatMap(({ exchange, request }) => {
    // Asked once more, beside a control of the same token.
    const isAgain = exchange.repeats !== undefined;
    // Alike for requests to one endpoint for one model.
    const likes = `${request.path} ${callerOf(exchange.request)}`;
    return view.attempts(exchange.id).flatMap((state, at) => {
      const attempt = exchange.attempts[at];
      if (attempt === undefined) return [];
      const isOfAnyRefusal = hasLimitStatus && isRefusalWithRetryAfter(seenAt(exchange, attempt));
      const isTold = state.kind !== 'answered' && !isOfAnyRefusal && limits.isTold(exchange, attempt);
      // No valid request got its words.
      const isOwn = limits.mayBeTold(attempt);
      const isLast = at === exchange.attempts.length - 1;
      // What stays the same of a reply when it is given again.
      const words = attempt.fingerprint;
      return [{ ...spanOf(attempt), request, likes, state, words, isTold, isOwn, isAgain, isLast }];
    });
  });
  return replies.sort((one, other) => one.from - other.from);
}

/** The last answer to the token before a reply; undefined without one behind it, or with something wrong in between (principle 4). */
function answerBefore(reply: Span, answers: readonly SpentReply[], wrong: readonly Span[]) {
  const before = answers.findLast(({ to }) => to <= reply.from);
  const behind = answers.find(({ from }) => from >= reply.to);
  if (before === undefined || behind === undefined) return undefined;
  return isAnyWithin(wrong, { from: before.from, to: behind.to }) ? undefined : before;
}

/** One may be that of anything that passes. */
const fewestTimes = 2;

/** Whether the limit holds in some words for requests each time that they are asked again, and for others not. */
function isHeldIn(own: readonly SpentReply[], answers: readonly SpentReply[], wrong: readonly Span[]) {
  const told = new Set(own.map(({ request }) => request));
  const isByTime = answers.some(({ isAgain, request }) => isAgain && told.has(request));
  const times = [...groupBy(own, ({ request }) => request).values()].map(
    (each) => new Set(each.flatMap((reply) => answerBefore(reply, answers, wrong) ?? [])).size,
  );
  return !isByTime && times.some((count) => count >= fewestTimes);
}

export function spentLimit(view: EvidenceView) {
  const replies = repliesToSpent(view);
  const answers = replies.filter(({ state }) => state.kind === 'answered');
  const answeredMs = Math.min(...answers.map(({ to }) => to));
  const before = replies.filter(({ from, state }) => from < answeredMs && state.kind !== 'answered');
  const toldFirst = new Set(before.filter(({ isTold }) => isTold).map(({ request }) => request));
  const decisive = replies.filter(({ isTold, state }) => isTold || state.kind !== 'unclear');
  const last = [...new Map(decisive.map((reply) => [reply.request, reply])).values()];
  // What it is refused for otherwise may lock it out.
  const others = replies.filter(({ isTold, state }) => !isTold && state.kind !== 'answered');
  const wrong = [...view.wrongSent().filter(({ isLimited }) => !isLimited), ...others];
  const toldAgain = groupBy(
    replies.filter(({ isAgain, isTold, isOwn }) => isAgain && isTold && isOwn),
    ({ words }) => words,
  );
  // What passes for valid requests, too, is no limit of this token.
  const passing = new Set(
    validExchanges(view).flatMap(([, { id, attempts }]) =>
      view.kind(id) === 'answered' ? attempts.map(({ fingerprint }) => fingerprint) : [],
    ),
  );
  const isRefusedNoMore = before.some(({ likes, words, state }) => {
    const later = replies.filter((reply) => reply.likes === likes && reply.from >= answeredMs);
    return (
      state.kind === 'refused' &&
      !passing.has(words) &&
      answers.some((answer) => answer.likes === likes) &&
      !later.some((reply) => reply.words === words)
    );
  });
  return {
    /** What it got before any answer to it had come; all where none came. */
    before,
    /** A request was refused before any answer, one like it is answered, and none is refused so again: a limit may have any words (7). */
    isRefusedNoMore,
    /** A request that was told it at first is not told it any more since the token was answered. */
    hasEnded: last.some(
      ({ request, from, isTold }) => !isTold && from >= answeredMs && toldFirst.has(request),
    ),
    /** Told again in the same words, each time between two answers to the token: no lock-out, and nothing that passes. */
    isHeld: [...toldAgain.values()].some((own) => isHeldIn(own, answers, wrong)),
    /** The requests that were told it behind an answer, and not asked since: it may have been a lock-out. */
    open: last.filter(({ isTold, from }) => isTold && from >= answeredMs).map(({ request }) => request),
    /** What each request got when it was asked last and anything decisive came. */
    last,
  };
}
