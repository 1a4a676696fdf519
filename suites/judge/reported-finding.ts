import type { FindingWithReason } from '../types/finding.ts';
import { messageOf, type Reason, wordsOf } from '../types/reasons/index.ts';
import type { ReportFinding } from '../types/report.ts';

/** A finding as the report has it: its reason as a code and in words. */
export function reportedFinding(
  finding: FindingWithReason,
): ReportFinding & { readonly code: Reason['kind'] } {
  const {
    requirement,
    verdict,
    reason,
    share: _,
    asked: _asked,
    ...seen
  } = {
    share: undefined,
    asked: undefined,
    ...finding,
  };
  const words = messageOf(finding);
  const { expected } = wordsOf(reason);
  const message = seen.model === undefined ? words : `model ${seen.model}: ${words}`;
  return { requirement, verdict, code: reason.kind, message, expected, actual: words, ...seen };
}
