import { matrixCell } from '../../spec/matrix.ts';
import type { EvidenceView } from '../checks/evidence-view.ts';
import { isAnswerDue } from '../reading/request-facts.ts';
import { isRateLimit } from '../reading/transient.ts';
import type { Attempt, Exchange } from '../types/exchange.ts';
import type { PlannedRequest } from '../types/plan.ts';
import { cellId } from '../types/request-ids.ts';
import { chanceOfDifference, levelOf, type Tally, testsIn } from './exact-test.ts';

type Words = string | null;

interface Unanswered {
  readonly request: PlannedRequest;
  readonly words: Words;
}

/** Whether a refusal can be for model or group alone: the request differs from one with a spent token in no more. */
const isOfRefusedCell = ({ id, protocol, stream, callers, credential }: PlannedRequest): boolean =>
  credential.form === 'right' &&
  callers.some(
    (caller) =>
      id === cellId(caller, protocol, stream) ||
      matrixCell({ ...caller, protocol, stream })?.expectation === 'refused',
  );

/** The words that the spent token gets more often than wrong requests do, and than those that are refused for their group. */
function wordsOfSpent(view: EvidenceView): ReadonlySet<Words> {
  const unanswered = view.plan.requests.flatMap((request): readonly Unanswered[] => {
    // What a valid request gets may be megabytes.
    if (request.expect === 'answer' || (request.expect === 'either' && !isOfRefusedCell(request))) return [];
    const { kind, exchange } = view.state(request.id);
    if (exchange === undefined || kind === 'answered') return [];
    return [{ request, words: exchange.attempts.at(-1)?.fingerprint ?? null }];
  });
  const spent = unanswered.filter(({ request }) => request.expect === 'limited');
  const wrong = unanswered.filter(({ request }) => request.expect === 'refusal');
  const ofCells = unanswered.filter(({ request }) => isOfRefusedCell(request));
  /** Those on endpoints where the spent token gets the words. */
  const controlsOf = (those: Words): readonly (readonly Unanswered[])[] => {
    const paths = new Set(spent.flatMap(({ request, words }) => (words === those ? [request.path] : [])));
    const near = ofCells.filter(({ request }) => paths.has(request.path));
    return [wrong, ...(near.length > 0 ? [near] : [])];
  };
  const level = levelOf(testsIn(view.plan));
  const tally = (all: readonly Unanswered[], words: Words): Tally => ({
    seen: all.filter((each) => each.words === words).length,
    of: all.length,
  });
  const isOfLimit = (words: Words): boolean =>
    words !== null &&
    controlsOf(words).every(
      (control) => chanceOfDifference(tally(spent, words), tally(control, words)) <= level,
    );
  return new Set(spent.flatMap(({ words }) => (isOfLimit(words) ? [words] : [])));
}

/** How the target tells a limit: neither status nor words of it are shown (7). */
export function limitWords(view: EvidenceView) {
  const ofSpent = wordsOfSpent(view);
  const ofValid = new Set(
    view.exchanges().flatMap((exchange): readonly Words[] => {
      const request = view.requestOf(exchange);
      return request && isAnswerDue(request) ? exchange.attempts.map(({ fingerprint }) => fingerprint) : [];
    }),
  );
  return {
    /** By what HTTP has for it, or in words of a limit. */
    isTold: (exchange: Exchange, attempt = exchange.attempts.at(-1)): boolean =>
      isRateLimit({
        response: attempt?.response ?? exchange.response,
        ending: attempt?.ending ?? exchange.ending,
      }) || ofSpent.has(attempt?.fingerprint ?? null),
    /** In words that no valid request got. */
    mayBeTold: ({ fingerprint }: Attempt): boolean => fingerprint !== null && !ofValid.has(fingerprint),
  };
}
