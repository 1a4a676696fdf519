import { isTextProtocol } from '../../spec/vocabulary.ts';
import { type EvidenceView, isAnswered, textAt } from '../checks/evidence-view.ts';
import { isRowAtOnce, isStalled, isStreamInconclusive } from '../checks/shared/arrival.ts';
import { hasLettersOf, isRecalled, lettersOf } from '../checks/shared/nonces.ts';
import { isRefused } from '../checks/shared/refusals.ts';
import { isRateLimit } from '../reading/transient.ts';
import type { AskedNonce, Condition, PlannedRequest } from '../types/plan.ts';
import type { UnsentReason } from '../types/reasons/exchange-reasons.ts';
import { longId } from '../types/request-ids.ts';

/** Whether only the letters beyond ASCII of a nonce are missing, and the model has such letters in a long text. */
function areLettersMissing({ exchange, nonce }: AskedNonce, view: EvidenceView): boolean {
  const protocol = view.request(exchange)?.protocol;
  return (
    protocol !== undefined &&
    isTextProtocol(protocol) &&
    lettersOf(textAt(view, exchange), nonce) === 'lost' &&
    hasLettersOf(nonce, textAt(view, longId(protocol)))
  );
}

/** Why a condition is not met by what is recorded; undefined where it is. Pure. */
function unmet(condition: Condition, view: EvidenceView): UnsentReason | undefined {
  const answered = (id: string): boolean => isAnswered(view, id);
  const limited = (id: string): boolean => {
    const { exchange } = view.state(id);
    return exchange !== undefined && isRateLimit(exchange);
  };
  switch (condition.kind) {
    case 'answered':
      return condition.any.some(answered) ? undefined : { kind: 'not-answered', exchanges: condition.any };
    case 'recorded':
      return undefined;
    case 'unanswered':
      return condition.all.some(answered) ? { kind: 'stand-in-not-needed' } : undefined;
    case 'one-unanswered':
      return condition.any.every(answered) ? { kind: 'stand-in-not-needed' } : undefined;
    case 'one-unanswered-unlimited':
      return condition.any.every((id) => answered(id) || limited(id))
        ? { kind: 'stand-in-not-needed' }
        : undefined;
    case 'not-recalled': {
      const { exchange, control } = condition;
      if (isRefused(view, exchange) && isRefused(view, control)) return undefined;
      if (!answered(exchange)) return { kind: 'attempt-before-not-answered' };
      const isDue = !isRecalled(view, condition) || areLettersMissing(condition, view);
      return isDue ? undefined : { kind: 'recalled-before' };
    }
    case 'unrecalled': {
      const isUnrecalled = (question: (typeof condition.any)[number]): boolean =>
        isRefused(view, question.exchange) || (answered(question.exchange) && !isRecalled(view, question));
      return condition.any.some(isUnrecalled) ? undefined : { kind: 'recalled-before' };
    }
    case 'recalled':
      return condition.any.some((question) => isRecalled(view, question))
        ? undefined
        : { kind: 'stand-in-not-needed' };
    case 'nowhere-recalled':
      return condition.questions.some((question) => isRecalled(view, question))
        ? { kind: 'recalled-before' }
        : undefined;
    case 'not-limited':
      return limited(condition.exchange) ? { kind: 'stand-in-not-needed' } : undefined;
    case 'refused':
      return isRefused(view, condition.exchange)
        ? undefined
        : { kind: 'taken-before', exchange: condition.exchange };
    case 'stalled':
      return isStalled(view, condition.exchange) ? undefined : { kind: 'timing-was-undisturbed' };
    case 'stream-inconclusive':
      return isStreamInconclusive(view, condition.exchanges, condition.controls)
        ? undefined
        : { kind: 'stream-was-clear' };
    case 'row-at-once':
      return isRowAtOnce(view, condition.pace) ? undefined : { kind: 'stream-was-clear' };
    default:
      return condition satisfies never;
  }
}

/** Why a planned request is not sent, by what is recorded before it; undefined where it is. Pure. */
export function notNeeded(request: PlannedRequest, view: EvidenceView): UnsentReason | undefined {
  if (request.standsFor?.some((other) => isAnswered(view, other))) return { kind: 'stand-in-not-needed' };
  return request.when.flatMap((condition) => unmet(condition, view) ?? [])[0];
}
