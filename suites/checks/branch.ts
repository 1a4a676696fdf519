import type { Branch, BranchQuestion } from '../types/checks/context.ts';
import type { Failure, Outcome } from '../types/finding.ts';
import { isObject } from '../../spec/json.ts';
import type { CheckDefinition } from './check-definition.ts';
import { documentOf, type EvidenceView, textOf } from './evidence-view.ts';
import {
  describeState,
  excerpt,
  dependsOnModel,
  fail,
  inconclusive,
  pass,
  unsaid,
} from './shared/findings.ts';
import { filtered, holds, isFiltered, recalls } from './shared/nonces.ts';

export const branch: CheckDefinition<Branch> = {
  kind: 'branch',
  explanation: 'A word said in one branch of a chain must not be known in another.',
  reads: ({ probes, controls, plainRequest }) => [
    ...probes.flatMap(({ exchange, root, otherBranch }) => [exchange, root, otherBranch]),
    ...controls.map(({ exchange }) => exchange),
    plainRequest,
  ],
  judge,
};

function judge({ probes, controls, plainRequest }: Branch, view: EvidenceView): Outcome {
  for (const probe of probes) {
    const wrong = mixed(probe, view);
    if (wrong) return wrong;
  }
  const states = probes.map((probe) => ({ probe, state: view.state(probe.exchange) }));
  const own = states.find(({ probe, state }) => recalls(state, 'responses', probe.nonce));
  if (own) return pass(own.probe.exchange);
  const answered = states.filter(({ state }) => state.kind === 'answered');
  const [other] = answered;
  if (other !== undefined)
    return dependsOnModel(
      'neither-branch-shown',
      unsaid(answered.map(({ probe }) => probe.exchange)),
      excerpt(textOf(other.state, 'responses')),
    );
  const left = states.filter(({ probe }) => !isFiltered(view, probe, controls));
  const [sample] = left;
  if (sample === undefined) return filtered(plainRequest, view, probes);
  const isTakenOnce = left.every(
    ({ probe, state }) => state.kind === 'refused' && view.state(probe.otherBranch).kind === 'answered',
  );
  return inconclusive(isTakenOnce ? 'id-taken-once' : 'no-conclusive-reply', describeState(sample.state));
}

/** What shows that two branches are one. */
function mixed(probe: BranchQuestion, view: EvidenceView): Failure | undefined {
  const { exchange, nonce, otherNonces, root, otherBranch } = probe;
  const id = idOf(otherBranch, view);
  if (id !== undefined && id === idOf(root, view))
    return fail('chained-id-repeated', excerpt(id), { pointer: '/id', exchange: otherBranch });
  const text = textOf(view.state(exchange), 'responses');
  return otherNonces.some((otherNonce) => holds(text, otherNonce))
    ? fail({ kind: 'other-branch-known', nonce }, excerpt(text), { exchange })
    : undefined;
}

function idOf(id: string, view: EvidenceView): string | undefined {
  const json = documentOf(view.state(id));
  return isObject(json) && typeof json.id === 'string' ? json.id : undefined;
}
