import type { EvidenceView } from '../checks/evidence-view.ts';
import { controlPairs, readsIn } from '../checks/registry.ts';
import { inconclusive } from '../checks/shared/findings.ts';
import { configKeysOf, isOfOtherGroup, type Mistake, mistakeBehind, shows } from '../facts/mistakes.ts';
import type { Case } from '../types/case.ts';
import type { Finding, Judgement } from '../types/finding.ts';
import type { InconclusiveReason } from '../types/reasons/index.ts';

/** Where one probe that may work is enough, or two replies are compared, any of them may be for a mistake. */
const comparing: ReadonlySet<Case['check']['kind']> = new Set(['served', 'distinct']);

/** Findings that rest on an operator's mistake are not decided: nothing fails for one, and nothing passes (principle 18). */
export function excused(
  entry: Case,
  judgement: Judgement,
  view: EvidenceView,
  mistakes: readonly Mistake[],
): Judgement {
  if (mistakes.length === 0) return judgement;
  const { check, suite } = entry;
  const read = readsIn(check, view.plan);
  const showing = (mistake: Mistake): boolean =>
    read.some((id) => {
      const { exchange } = view.state(id);
      return exchange !== undefined && shows(mistake, exchange);
    });
  // What a group is served, and what it is not, shows nothing with the token of another.
  const exchanged =
    suite === 'families' ? mistakes.find((one) => isOfOtherGroup(one) && showing(one)) : undefined;
  const behindPass = exchanged ?? restingOn(entry, view, mistakes);
  const behindFailure = (id: string): Mistake | undefined => {
    const { kind, exchange } = view.state(id);
    if (exchange === undefined) return undefined;
    if (kind !== 'answered') return mistakeBehind(mistakes, exchange);
    // What must be refused with the token of one group may be answered with that of another.
    return view.request(id)?.expect === 'answer'
      ? undefined
      : mistakes.find((one) => isOfOtherGroup(one) && shows(one, exchange));
  };
  const behind = (finding: Finding): Mistake | undefined => {
    if (finding.verdict === 'pass') return behindPass;
    if (finding.verdict !== 'fail') return undefined;
    const shown = finding.exchange ?? judgement.shows ?? read[0];
    const rests = [...(shown === undefined ? [] : [shown]), ...(comparing.has(check.kind) ? read : [])];
    return exchanged ?? rests.map(behindFailure).find((one) => one !== undefined);
  };
  const excuse = (finding: Finding): Finding => {
    const mistake = behind(finding);
    if (mistake === undefined) return finding;
    const actual = finding.verdict === 'fail' ? finding.actual : undefined;
    return { requirement: finding.requirement, ...inconclusive(reasonOf(mistake), actual) };
  };
  const findings = judgement.findings.map(excuse);
  if (behindPass === undefined) return { ...judgement, findings };
  const { observations: _, ...rest } = judgement;
  return { ...rest, findings, ...(judgement.follows ? { follows: 'unknown' } : {}) };
}

/** The mistake that a refusal is made with on which a pass of the case rests: it shows nothing of what is right. */
function restingOn({ check }: Case, view: EvidenceView, mistakes: readonly Mistake[]): Mistake | undefined {
  for (const id of refusalsOf(check)) {
    const { kind, exchange } = view.state(id);
    const mistake = kind !== 'answered' && exchange && mistakes.find((one) => shows(one, exchange));
    if (mistake) return mistake;
  }
  return undefined;
}

/** The requests whose refusal a pass of a check rests on, or an observation tells. */
function refusalsOf(check: Case['check']): readonly string[] {
  switch (check.kind) {
    case 'observe':
      return check.probes;
    case 'distinct':
      return check.comparisons.flatMap(({ probes }) => probes);
    case 'not-rate-limit':
      return check.limited;
    default:
      return controlPairs(check).flatMap(({ probes }) => probes);
  }
}

const reasonKinds = {
  'base-address': 'every-path-alike',
  'token-not-accepted': 'declared-token-refused',
  'tokens-exchanged': 'declared-tokens-exchanged',
  'same-token': 'declared-token-of-one-group',
  'token-not-told': 'declared-token-not-told',
  'model-not-known': 'declared-model-unknown',
  'model-not-told': 'declared-model-not-told',
} as const satisfies Record<Mistake['kind'], InconclusiveReason['kind']>;

const reasonOf = (mistake: Mistake): InconclusiveReason => ({
  kind: reasonKinds[mistake.kind],
  keys: configKeysOf(mistake),
});
