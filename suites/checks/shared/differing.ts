import type { SaidText } from '../../facts/said-texts.ts';
import { restsOn, type Shown, shows, type TextTest } from '../../facts/text-faults.ts';
import type { Outcome } from '../../types/finding.ts';
import type { FailureReason } from '../../types/reasons/index.ts';
import type { EvidenceView } from '../evidence-view.ts';
import { excerpt } from './describe.ts';
import { failureIn, lastOf } from './failure-in.ts';
import { fail } from './findings.ts';

/** The failure that replies differ from those of the same model elsewhere. */
export function differing(test: TextTest, view: EvidenceView): Outcome {
  const { shown, by, probes, isStreamed } = test;
  const counts = restsOn(test);
  const reason: FailureReason =
    'place' in shown
      ? { kind: 'context-differs', place: shown.place, isStreamed, by, ...counts }
      : { kind: 'text-differs', difference: shown.difference, by, ...counts };
  return having(probes, shown, reason, view) ?? fail(reason, '');
}

/** The failure that texts show something, in those that do. */
export const having = (
  texts: readonly SaidText[],
  shown: Shown,
  reason: FailureReason,
  view: EvidenceView,
): Outcome | undefined =>
  failureIn(
    view,
    texts.flatMap((text) => {
      const isShown = shows(shown, text);
      if (isShown === undefined) return [];
      const aspect = isShown ? fail(reason, excerpt(text.said)) : ('kept' as const);
      return [{ ...lastOf(view.state(text.id), text.id), aspect }];
    }),
  );
