import type { EvidenceView } from '../checks/evidence-view.ts';
import { isAnswerDue } from '../reading/request-facts.ts';
import { isRateLimit } from '../reading/transient.ts';
import type { Attempt, Exchange } from '../types/exchange.ts';
import type { PlannedRequest } from '../types/plan.ts';
import { chanceOfDifference, levelOf, type Tally } from './exact-test.ts';
import { testsIn } from './tests-in.ts';

/** How the target tells a limit: neither status nor words of it are shown (7). */
export interface LimitWords {
  /** By what HTTP has for it, or in words of a limit. */
  isTold(exchange: Exchange, attempt?: Attempt): boolean;
  /** In words that no valid request got. */
  mayBeTold(attempt: Attempt): boolean;
}

type Words = string | null;

/** The words that the spent token gets more often than wrong requests do, which passing outages and pages in front refuse as well. */
function wordsOfSpent(view: EvidenceView): ReadonlySet<Words> {
  const lastOf = (expect: PlannedRequest['expect']): readonly Words[] =>
    view.plan.requests.flatMap((request) => {
      const { kind, exchange } = view.state(request.id);
      if (request.expect !== expect || exchange === undefined || kind === 'answered') return [];
      return [exchange.attempts.at(-1)?.fingerprint ?? null];
    });
  const [spent, wrong] = [lastOf('limited'), lastOf('refusal')];
  const level = levelOf(testsIn(view.plan));
  const tally = (all: readonly Words[], words: Words): Tally => ({
    seen: all.filter((each) => each === words).length,
    of: all.length,
  });
  const isOfLimit = (words: Words): boolean =>
    words !== null && chanceOfDifference(tally(spent, words), tally(wrong, words)) <= level;
  return new Set([...new Set(spent)].filter(isOfLimit));
}

export function limitWords(view: EvidenceView): LimitWords {
  const ofSpent = wordsOfSpent(view);
  const ofValid = new Set(
    view.exchanges().flatMap((exchange): readonly Words[] => {
      const request = view.requestOf(exchange);
      return request && isAnswerDue(request) ? exchange.attempts.map(({ fingerprint }) => fingerprint) : [];
    }),
  );
  return {
    isTold: (exchange, attempt = exchange.attempts.at(-1)) =>
      isRateLimit({
        response: attempt?.response ?? exchange.response,
        ending: attempt?.ending ?? exchange.ending,
      }) || ofSpent.has(attempt?.fingerprint ?? null),
    mayBeTold: ({ fingerprint }) => fingerprint !== null && !ofValid.has(fingerprint),
  };
}
