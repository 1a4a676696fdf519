import type { EvidenceView } from '../checks/evidence-view.ts';
import { readsIn } from '../checks/registry.ts';
import { inconclusive } from '../checks/shared/findings.ts';
import type { Case } from '../types/case.ts';
import type { Finding, Judgement } from '../types/finding.ts';
import type { InconclusiveReason } from '../types/reasons/index.ts';
import { configKeysOf, type Mistake } from './causes/mistake.ts';
import { mistakeBehind } from './causes/find-mistakes.ts';

/** Where one probe that may work is enough, or two replies are compared, any of them may be for a mistake. */
const comparing: ReadonlySet<Case['check']['kind']> = new Set(['served', 'distinct']);

/**
 * The findings of a case without failures that rest on a mistake of the operator: those are not decided
 * (principle 18).
 */
export function excused(
  { check }: Case,
  judgement: Judgement,
  view: EvidenceView,
  mistakes: readonly Mistake[],
): Judgement {
  if (mistakes.length === 0) return judgement;
  const read = readsIn(check, view.plan);
  const behind = (id: string): Mistake | undefined => {
    const state = view.state(id);
    return state.kind === 'answered' || state.exchange === undefined
      ? undefined
      : mistakeBehind(mistakes, state.exchange);
  };
  const excuse = (finding: Finding): Finding => {
    if (finding.verdict !== 'fail') return finding;
    const shown = finding.exchange ?? judgement.shows ?? read[0];
    const rests = [...(shown === undefined ? [] : [shown]), ...(comparing.has(check.kind) ? read : [])];
    const mistake = rests.map(behind).find((one) => one !== undefined);
    return mistake === undefined
      ? finding
      : { requirement: finding.requirement, ...inconclusive(reasonOf(mistake), finding.actual) };
  };
  return { ...judgement, findings: judgement.findings.map(excuse) };
}

function reasonOf(mistake: Mistake): InconclusiveReason {
  const keys = configKeysOf(mistake);
  switch (mistake.kind) {
    case 'base-address':
      return { kind: 'every-path-alike', keys };
    case 'token-not-accepted':
      return { kind: 'declared-token-refused', keys };
    case 'model-not-known':
      return { kind: 'declared-model-unknown', keys };
    default:
      return mistake satisfies never;
  }
}
