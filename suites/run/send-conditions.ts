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

const standInNotNeeded: UnsentReason = { kind: 'stand-in-not-needed' };
const recalledBefore: UnsentReason = { kind: 'recalled-before' };
const streamWasClear: UnsentReason = { kind: 'stream-was-clear' };

const unless = (isMet: boolean, reason: UnsentReason): UnsentReason | undefined =>
  isMet ? undefined : reason;

/** Why a condition is not met by what is recorded; undefined where it is. Pure. */
function unmet(condition: Condition, view: EvidenceView): UnsentReason | undefined {
  const answered = (id: string): boolean => isAnswered(view, id);
  const recalled = (question: AskedNonce): boolean => isRecalled(view, question);
  const limited = (id: string): boolean => {
    const { exchange } = view.state(id);
    return exchange !== undefined && isRateLimit(exchange);
  };
  switch (condition.kind) {
    case 'answered':
      return unless(condition.any.some(answered), { kind: 'not-answered', exchanges: condition.any });
    case 'recorded':
      return undefined;
    case 'unanswered':
      return unless(!condition.all.some(answered), standInNotNeeded);
    case 'one-unanswered':
      return unless(!condition.any.every(answered), standInNotNeeded);
    case 'one-unanswered-unlimited':
      return unless(!condition.any.every((id) => answered(id) || limited(id)), standInNotNeeded);
    case 'not-recalled': {
      const { exchange, control } = condition;
      if (isRefused(view, exchange) && isRefused(view, control)) return undefined;
      if (!answered(exchange)) return { kind: 'attempt-before-not-answered' };
      const isDue = !isRecalled(view, condition) || areLettersMissing(condition, view);
      return unless(isDue, recalledBefore);
    }
    case 'unrecalled': {
      const isUnrecalled = (question: AskedNonce): boolean =>
        isRefused(view, question.exchange) || (answered(question.exchange) && !recalled(question));
      return unless(condition.any.some(isUnrecalled), recalledBefore);
    }
    case 'recalled':
      return unless(condition.any.some(recalled), standInNotNeeded);
    case 'nowhere-recalled':
      return unless(!condition.questions.some(recalled), recalledBefore);
    case 'not-limited':
      return unless(!limited(condition.exchange), standInNotNeeded);
    case 'refused':
      return unless(isRefused(view, condition.exchange), {
        kind: 'taken-before',
        exchange: condition.exchange,
      });
    case 'stalled':
      return unless(isStalled(view, condition.exchange), { kind: 'timing-was-undisturbed' });
    case 'stream-inconclusive':
      return unless(isStreamInconclusive(view, condition.exchanges, condition.controls), streamWasClear);
    case 'row-at-once':
      return unless(isRowAtOnce(view, condition.pace), streamWasClear);
    default:
      return condition satisfies never;
  }
}

/** Why a planned request is not sent, by what is recorded before it; undefined where it is. Pure. */
export function notNeeded(request: PlannedRequest, view: EvidenceView): UnsentReason | undefined {
  if (view.isStoodFor(request.id)) return standInNotNeeded;
  return request.when.flatMap((condition) => unmet(condition, view) ?? [])[0];
}
