import type { TextProtocol } from '../../../spec/vocabulary.ts';
import { type EvidenceView, isAnswered, isCutOff } from '../evidence-view.ts';
import { recalls } from './nonces.ts';
import type { NonceQuestion } from '../../types/checks/context.ts';

interface AskedQuestion extends NonceQuestion {
  readonly protocol: TextProtocol;
}

/**
 * Whether the model often says its last message again, and gives back nothing without it: the control, which has the
 * nonce in that message, tells nothing of it; nor do earlier messages, if it says all of them again.
 */
export function isEchoing(
  unrecalled: readonly AskedQuestion[],
  others: readonly AskedQuestion[],
  view: EvidenceView,
): boolean {
  const gives = ({ exchange, protocol }: AskedQuestion, text: string): boolean =>
    recalls(view.state(exchange), protocol, text);
  const recalled = others.filter((each) => !isCutOff(view.state(each.exchange)) && gives(each, each.nonce));
  if (recalled.some((each) => !gives(each, each.question))) return false;
  const byExchange = new Map([...unrecalled, ...others].map((each) => [each.exchange, each]));
  const asked = [...byExchange.values()].filter(({ exchange }) => isAnswered(view, exchange));
  return asked.filter((each) => gives(each, each.question)).length > asked.length / 3;
}
