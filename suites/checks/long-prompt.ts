import type { ReportFinding } from '../model/report.ts';
import type { EvidenceView } from './evidence-view.ts';
import { isRefused } from './recall.ts';
import { inconclusive, describeState } from './findings.ts';

/**
 * Nothing but refusals of the long prompt, where a plain one is answered: its words are filtered, or the most
 * that the target takes is less, which is not shown (8.4). It hangs on the model, and undefined is anything else.
 * @param long every request with the long prompt, with a stream and without
 */
export function longRefused(
  requirement: string,
  view: EvidenceView,
  long: readonly string[],
  plain: readonly string[],
): ReportFinding | undefined {
  const [first] = long;
  if (first === undefined || !long.every((id) => isRefused(view, id))) return undefined;
  if (!plain.some((id) => view.state(id).kind === 'answered')) return undefined;
  const message = 'every long prompt is refused, and a plain one is answered';
  return inconclusive(requirement, message, describeState(view.state(first)), 'model-behaviour');
}
