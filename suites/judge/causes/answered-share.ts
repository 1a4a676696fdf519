import { lastOf } from '../../checks/shared/findings.ts';
import type { EvidenceView } from '../../checks/evidence-view.ts';
import { separationOf } from '../../facts/separation.ts';
import type { CheckOf } from '../../types/checks/check.ts';
import {
  separationWords,
  allReplies,
  type JudgedReplies,
  noReplies,
  type ReplyRef,
} from '../../types/separation.ts';
import type { JudgedCase } from '../judge-case.ts';

const ruleOf = ({ probe, rule }: CheckOf<'refused'>, view: EvidenceView): string =>
  `${view.request(probe)?.protocol} ${rule}`;

/**
 * How many of the requests that break the same as the answered ones are answered, and which; empty where none is refused.
 * @param tried what was sent behind them, to show it once more
 */
export function answeredShare(
  requirements: readonly string[],
  answered: readonly string[],
  cases: readonly JudgedCase[],
  view: EvidenceView,
  tried: JudgedReplies = noReplies,
): string {
  const checks = new Map(view.plan.cases.map(({ id, check }) => [id, check]));
  const broken = cases.flatMap(({ outcome: { id } }) => {
    const check = checks.get(id);
    return check?.kind === 'refused' && answered.includes(check.probe) ? [ruleOf(check, view)] : [];
  });
  const kept = cases.flatMap(({ outcome }) => {
    const check = checks.get(outcome.id);
    return check?.kind === 'refused' &&
      outcome.passed.some((id) => requirements.includes(id)) &&
      broken.includes(ruleOf(check, view))
      ? [check.probe]
      : [];
  });
  if (kept.length === 0) return '';
  const refsOf = (ids: readonly string[]): readonly ReplyRef[] => [
    ...new Map(ids.map((id) => [id, lastOf(view.state(id), id)])).values(),
  ];
  const judged = { broken: refsOf(answered), kept: refsOf(kept) };
  const replies = allReplies(judged, tried);
  const seen = replies.broken.length;
  const separation = separationOf(view, judged, tried);
  const condition = separation === undefined ? '' : `, ${separationWords(separation, seen)}`;
  return `It answers ${seen} of ${seen + replies.kept.length} such requests${condition}.`;
}
