import type { OutcomeWithReason } from '../../types/finding.ts';
import { type EvidenceView, isAnswered } from '../evidence-view.ts';
import { describeFirst } from './describe.ts';
import { inconclusive } from './findings.ts';
import { isRefused } from './refusals.ts';

/**
 * Nothing but refusals of the long prompt, where a plain one is answered: its words are filtered, or the most
 * that the target takes is less, which is not shown (8.4). It depends on the model; undefined is anything else.
 * @param long every request with the long prompt, with a stream and without
 */
export function longRefused(
  view: EvidenceView,
  long: readonly string[],
  plain: readonly string[],
): OutcomeWithReason | undefined {
  if (long.length === 0 || !long.every((id) => isRefused(view, id))) return undefined;
  if (!plain.some((id) => isAnswered(view, id))) return undefined;
  return inconclusive('long-prompt-refused', describeFirst(view, long), 'model-behaviour');
}
