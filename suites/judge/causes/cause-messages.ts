import type { EvidenceView } from '../../checks/evidence-view.ts';
import type { ViewOf } from '../../checks/model-views.ts';
import { readsIn } from '../../checks/registry.ts';
import type { CauseKind } from '../../types/cause.ts';
import type { FindingWithReason } from '../../types/finding.ts';
import { unclearWords, unsentWords } from '../../types/reasons/exchange-words.ts';
import { wordsOf } from '../../types/reasons/index.ts';
import type { ReportRequirement } from '../../types/report.ts';
import type { Deciding } from './attribution.ts';

/** A row of the report with the findings that decided it. */
export interface ExplainedRow {
  readonly row: ReportRequirement;
  readonly deciding: readonly Deciding[];
}

/** Kinds that are told by why a request brought nothing. */
const toldByRequest: ReadonlySet<CauseKind> = new Set(['unreachable', 'no-usable-reply', 'run-stopped']);

/** What the findings behind a cause say, the most frequent first. */
export function messagesOf(
  rows: readonly ExplainedRow[],
  kind: CauseKind,
  viewOf: ViewOf,
): readonly string[] {
  const messages = toldByRequest.has(kind)
    ? rows.flatMap(({ deciding }) =>
        deciding.flatMap(({ entry }) => whyUnanswered(entry, kind, viewOf(entry))),
      )
    : rows.flatMap(({ row, deciding }) => {
        const said = deciding.map(
          ({ finding }: { finding: FindingWithReason }) => wordsOf(finding.reason).message,
        );
        return said.length > 0 ? said.slice(0, 1) : [row.reason ?? 'not run'];
      });
  const counts = new Map<string, number>();
  for (const message of messages) counts.set(message, (counts.get(message) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one).map(([message]) => message);
}

/** Why nothing more is sent at all. */
const stopKinds: ReadonlySet<string> = new Set([
  'stopped',
  'duration-spent',
  'budget-spent',
  'target-given-up',
]);

function whyUnanswered(entry: Deciding['entry'], kind: CauseKind, view: EvidenceView): readonly string[] {
  return readsIn(entry.check, view.plan).flatMap((id) => {
    const state = view.state(id);
    if (state.kind !== 'unclear') return [];
    const { why } = state;
    if (why.kind === 'transient') return kind === 'run-stopped' ? [] : [unclearWords(why)];
    if (why.kind !== 'not-sent') return kind === 'run-stopped' ? ['the evidence ends before'] : [];
    if (why.unsent.kind === 'unreachable') return [why.unsent.detail];
    return stopKinds.has(why.unsent.kind) ? [unsentWords(why.unsent)] : [];
  });
}
