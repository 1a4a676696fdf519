import type { NonceQuestion } from '../../types/checks/context.ts';
import type { TextProtocol } from '../../../spec/vocabulary.ts';
import type { OutcomeWithReason } from '../../types/finding.ts';
import { type EvidenceView, type State, textOf } from '../evidence-view.ts';
import { describeState } from './describe.ts';
import { dependsOnModel, inconclusive, unsaid } from './findings.ts';
import { isRefused } from './refusals.ts';

/** The letters and digits of a text, composed and in lower case. */
export const bareLetters = (text: string): string =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');

/** The word of a nonce with a number behind it: a model that gets digits wrong was given it all the same. */
function hasItsWord(text: string, bareText: string, nonce: string): boolean {
  const [, word] = /^([A-Z]+)-\d+$/.exec(nonce) ?? [];
  // The expression is slow to make, and most texts lack the word.
  if (word === undefined || !bareText.includes(word.toLowerCase())) return false;
  return new RegExp(`\\b${word}\\P{L}{0,3}\\d{3}`, 'iu').test(text);
}

/** Whether a text holds a nonce, however it is spelt out. */
export function holds(text: string, nonce: string): boolean {
  const bareText = bareLetters(text);
  return bareText.includes(bareLetters(nonce)) || hasItsWord(text, bareText, nonce);
}

/** Whether a reply gives a nonce back. */
export const recalls = (state: State, protocol: TextProtocol, nonce: string): boolean =>
  holds(textOf(state, protocol), nonce);

/** Whether a probe is refused for its words: the control in the same words is, too. */
export const isFiltered = (
  view: EvidenceView,
  question: NonceQuestion,
  controls: readonly NonceQuestion[],
): boolean =>
  isRefused(view, question.exchange) &&
  controls.some(({ topic, exchange }) => topic === question.topic && isRefused(view, exchange));

/** The reply to a request, or that for want of which it was not sent. */
function refusalBehind(view: EvidenceView, id: string): readonly string[] {
  const state = view.state(id);
  const exchange = state.exchange ?? (state.kind === 'unclear' ? state.behind : undefined);
  return exchange ? [exchange.id] : [];
}

/**
 * Nothing but refusals of the words: that depends on the model, where anything else is answered.
 * @param asked the requests with these words
 */
export function filtered(
  plainRequest: string,
  view: EvidenceView,
  asked: readonly NonceQuestion[],
): OutcomeWithReason {
  const state = view.state(plainRequest);
  return state.kind === 'answered'
    ? dependsOnModel(
        'question-refused',
        unsaid(asked.flatMap(({ exchange }) => refusalBehind(view, exchange))),
      )
    : inconclusive('question-refused', describeState(state));
}
