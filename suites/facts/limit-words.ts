import { matrixCell } from '../../spec/matrix.ts';
import type { EvidenceView } from '../checks/evidence-view.ts';
import { codesOf } from '../checks/shared/refusal-features.ts';
import { isAnswerDue } from '../reading/request-facts.ts';
import { refusalChars } from '../reading/reply-words.ts';
import { isRateLimit } from '../reading/transient.ts';
import type { Attempt, Exchange } from '../types/exchange.ts';
import type { PlannedRequest } from '../types/plan.ts';
import { cellId } from '../types/request-ids.ts';
import { chanceOfDifference, levelOf, type Tally, testsIn } from './exact-test.ts';
import { oncePerRecord } from './sent-requests.ts';

/** What of a refusal tells its class: its words as a whole, or a code in its body (7). */
type Sign = string;

interface Unanswered {
  readonly request: PlannedRequest;
  readonly signs: readonly Sign[];
}

/** An exchange as it was after one of its attempts. */
export const seenAt = (exchange: Exchange, attempt: Attempt | undefined): Exchange => ({
  ...exchange,
  response: attempt?.response ?? exchange.response,
  ending: attempt?.ending ?? exchange.ending,
});

function signsOf(exchange: Exchange, attempt = exchange.attempts.at(-1)): readonly Sign[] {
  if (!attempt?.fingerprint) return [];
  const seen = seenAt(exchange, attempt);
  const isShort = (seen.response?.body.text.length ?? 0) <= refusalChars;
  return [attempt.fingerprint, ...(isShort ? codesOf(seen) : [])];
}

/** Whether a refusal can be for model or group alone: the request differs from one with a spent token in no more. */
const isOfRefusedCell = ({ id, protocol, stream, callers, credential }: PlannedRequest): boolean =>
  credential.form === 'right' &&
  callers.some(
    (caller) =>
      id === cellId(caller, protocol, stream) ||
      matrixCell({ ...caller, protocol, stream })?.expectation === 'refused',
  );

/** The signs that the spent token gets more often than wrong requests do, and than those that are refused for their group. */
function signsOfSpent(view: EvidenceView): ReadonlySet<Sign> {
  const unanswered = view.plan.requests.flatMap((request): readonly Unanswered[] => {
    // What a valid request gets may be megabytes.
    if (request.expect === 'answer' || (request.expect === 'either' && !isOfRefusedCell(request))) return [];
    const { kind, exchange } = view.state(request.id);
    return exchange === undefined || kind === 'answered' ? [] : [{ request, signs: signsOf(exchange) }];
  });
  const spent = unanswered.filter(({ request }) => request.expect === 'limited');
  const wrong = unanswered.filter(({ request }) => request.expect === 'refusal');
  const ofCells = unanswered.filter(({ request }) => isOfRefusedCell(request));
  /** Those on endpoints where the spent token gets the sign. */
  const controlsOf = (sign: Sign): readonly (readonly Unanswered[])[] => {
    const paths = new Set(
      spent.flatMap(({ request, signs }) => (signs.includes(sign) ? [request.path] : [])),
    );
    const near = ofCells.filter(({ request }) => paths.has(request.path));
    return [wrong, ...(near.length > 0 ? [near] : [])];
  };
  const level = levelOf(testsIn(view.plan));
  const tally = (all: readonly Unanswered[], sign: Sign): Tally => ({
    seen: all.filter(({ signs }) => signs.includes(sign)).length,
    of: all.length,
  });
  const isOfLimit = (sign: Sign): boolean =>
    controlsOf(sign).every(
      (control) => chanceOfDifference(tally(spent, sign), tally(control, sign)) <= level,
    );
  return new Set([...new Set(spent.flatMap(({ signs }) => signs))].filter(isOfLimit));
}

/** How the target tells a limit: neither status nor words of it are shown (7). Several facts ask for it. */
export const limitWords = oncePerRecord((view) => {
  const ofSpent = signsOfSpent(view);
  const ofValid = new Set(
    view.exchanges().flatMap((exchange): readonly (string | null)[] => {
      const request = view.requestOf(exchange);
      return request && isAnswerDue(request) ? exchange.attempts.map(({ fingerprint }) => fingerprint) : [];
    }),
  );
  return {
    /** By what HTTP has for it, or by a sign of the limit of the spent token. */
    isTold: (exchange: Exchange, attempt = exchange.attempts.at(-1)): boolean =>
      isRateLimit(seenAt(exchange, attempt)) || signsOf(exchange, attempt).some((sign) => ofSpent.has(sign)),
    /** In words that no valid request got. */
    mayBeTold: ({ fingerprint }: Attempt): boolean => fingerprint !== null && !ofValid.has(fingerprint),
  };
});
