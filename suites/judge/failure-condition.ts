import { lastOf } from '../checks/shared/failure-in.ts';
import type { EvidenceView } from '../checks/evidence-view.ts';
import { separationOf } from '../facts/separation.ts';
import { noReplies, type Separation } from '../types/separation.ts';
import { type MoreKnown, type ShownFailure, triedReplies } from './shown-failure.ts';

/**
 * A failure with the condition that holds for all that is recorded: of the replies that were judged, and of those to what
 * was sent behind them to show it once more. What these contradict is not said.
 */
export function moreKnown(shown: ShownFailure, asked: EvidenceView): MoreKnown {
  const { failure, of, view } = shown;
  const tried = triedReplies(shown, asked);
  if (tried.broken.length + tried.kept.length === 0) return { failure, tried, asked };
  const { separation: _, ...bare } = failure;
  const judged = failure.replies ?? { ...noReplies, broken: [lastOf(view.state(of), of)] };
  const found = separationOf(asked, judged, tried);
  if (found === undefined) return { failure: bare, tried, asked };
  const { having, ...told } = found;
  const isOfAll = having === judged.broken.length + tried.broken.length;
  const separation: Separation = isOfAll ? { ...told, having: judged.broken.length } : told;
  return { failure: { ...bare, separation }, tried, asked };
}
