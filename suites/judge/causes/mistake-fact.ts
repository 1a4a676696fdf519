import type { EvidenceView } from '../../checks/evidence-view.ts';
import type { Fact } from '../../facts/fact.ts';
import { configKeysOf, type Mistake } from '../../facts/mistakes.ts';

/** A mistake of the operator as a fact that a cause is told by. */
export function factOfMistake(mistake: Mistake, view: EvidenceView): Fact {
  const [first] = mistake.exchanges;
  const response = first === undefined ? undefined : view.state(first).exchange?.response;
  return {
    kind: 'mistake',
    mistake: mistake.kind,
    ...('fault' in mistake ? { fault: mistake.fault } : {}),
    configKeys: configKeysOf(mistake),
    status: response ? `HTTP ${response.status}` : undefined,
    evidence: mistake.exchanges,
  };
}
