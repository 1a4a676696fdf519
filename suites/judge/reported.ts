import type { FindingWithReason } from '../model/finding.ts';
import { type Reason, wordsOf } from '../model/reasons/index.ts';
import type { ReportFinding } from '../model/report.ts';

/** A finding as the report has it: its reason as a code and in words. */
export function reported(finding: FindingWithReason): ReportFinding & { readonly code: Reason['kind'] } {
  const { requirement, verdict, reason } = finding;
  const { message, expected } = wordsOf(reason);
  const base = { requirement, verdict, code: reason.kind, message, expected };
  switch (finding.verdict) {
    case 'fail': {
      const { actual, pointer, exchange } = finding;
      return {
        ...base,
        actual,
        ...(pointer === undefined ? {} : { pointer }),
        ...(exchange === undefined ? {} : { exchange }),
      };
    }
    case 'inconclusive': {
      const { actual = message, nonGating } = finding;
      return { ...base, actual, ...(nonGating ? { nonGating } : {}) };
    }
    case 'untested':
      return { ...base, actual: message };
    default:
      return finding satisfies never;
  }
}
