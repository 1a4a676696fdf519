import type { FindingWithReason } from '../types/finding.ts';
import { messageOf, type Reason, wordsOf } from '../types/reasons/index.ts';
import { separationWords } from '../types/reasons/separation-words.ts';
import type { ReportFinding } from '../types/report.ts';
import type { ShownByReplies } from '../types/separation.ts';

/** How many replies show it, where not all do, and which. */
function shownBy({ replies, separation }: ShownByReplies): Pick<ReportFinding, 'replies'> {
  if (replies === undefined || replies.kept.length === 0) return {};
  const failed = replies.broken.length;
  const condition = separation && separationWords(separation, failed);
  return { replies: { failed, of: failed + replies.kept.length, ...(condition ? { condition } : {}) } };
}

/** A finding as the report has it: its reason as a code and in words, and how many replies show it. */
export function reportedFinding(
  finding: FindingWithReason,
): ReportFinding & { readonly code: Reason['kind'] } {
  const given = { replies: undefined, separation: undefined, asked: undefined, ...finding };
  const { requirement, verdict, reason, replies: _, separation: __, asked: ___, ...seen } = given;
  const words = messageOf(finding);
  const { expected } = wordsOf(reason);
  const message = seen.model === undefined ? words : `model ${seen.model}: ${words}`;
  const shown = finding.verdict === 'fail' ? shownBy(finding) : {};
  return { requirement, verdict, code: reason.kind, message, expected, actual: words, ...seen, ...shown };
}
