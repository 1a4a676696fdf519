import type { Failure, Judgement } from '../model/finding.ts';
import { isObject } from '../reading/json.ts';
import { replyText } from '../reading/text.ts';
import type { CheckDefinition } from './definition.ts';
import type { EvidenceView } from './evidence-view.ts';
import { describeState, excerpt } from './shared/describe.ts';
import { fail, inconclusive, oneFinding, pass } from './shared/findings.ts';
import { filtered, holds, isFiltered, type NonceQuestion, recalls } from './shared/nonces.ts';

/** A question asked at the root of a conversation that has gone on in another branch. */
export interface BranchQuestion extends NonceQuestion {
  /** What was given in the other branch in place of the nonce. */
  readonly otherNonce: string;
  /** The response at the root, and the one at the end of the other branch. */
  readonly root: string;
  readonly otherBranch: string;
}

/** What was said in one branch of a chain is not known in another. */
export interface Branch {
  readonly kind: 'branch';
  readonly requirement: string;
  /** Attempts, each on a conversation of its own; the nonce is that of the branch asked. */
  readonly probes: readonly BranchQuestion[];
  readonly controls: readonly NonceQuestion[];
  /** A request that has nothing of the probes: answered where they and the controls are refused, it is their words. */
  readonly plainRequest: string;
}

/** A branch of a chain knows its own turns; what was said in another branch can't be known in it (4.1). */
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

function judge({ requirement, probes, controls, plainRequest }: Branch, view: EvidenceView): Judgement {
  for (const probe of probes) {
    const wrong = mixed(probe, view);
    if (wrong) return oneFinding(fail(requirement, wrong), wrong.exchange);
  }
  const states = probes.map((probe) => ({ probe, state: view.state(probe.exchange) }));
  const own = states.find(({ probe, state }) => recalls(state, 'responses', probe.nonce));
  if (own) return oneFinding(pass(requirement), own.probe.exchange);
  const other = states.find(({ state }) => state.kind === 'answered')?.state;
  if (other?.kind === 'answered') {
    const actual = excerpt(replyText(other.reading, 'responses'));
    const seen = { actual, nonGating: 'model-behaviour' } as const;
    return oneFinding(inconclusive(requirement, { kind: 'neither-branch-shown' }, seen));
  }
  const left = states.find(({ probe }) => !isFiltered(view, probe, controls));
  return oneFinding(
    left
      ? inconclusive(requirement, { kind: 'no-conclusive-reply' }, { actual: describeState(left.state) })
      : filtered(requirement, plainRequest, view),
  );
}

/** What shows that two branches are one. */
function mixed(probe: BranchQuestion, view: EvidenceView): Failure | undefined {
  const id = idOf(probe.otherBranch, view);
  if (id !== undefined && id === idOf(probe.root, view)) {
    return {
      reason: { kind: 'chained-id-repeated' },
      actual: excerpt(id),
      pointer: '/id',
      exchange: probe.otherBranch,
    };
  }
  const state = view.state(probe.exchange);
  const text = state.kind === 'answered' ? replyText(state.reading, 'responses') : '';
  if (!holds(text, probe.otherNonce)) return undefined;
  return {
    reason: { kind: 'other-branch-known', nonce: probe.nonce },
    actual: excerpt(text),
    exchange: probe.exchange,
  };
}

function idOf(id: string, view: EvidenceView): string | undefined {
  const state = view.state(id);
  const json = state.kind === 'answered' && state.reading.kind === 'result' ? state.reading.json : undefined;
  return isObject(json) && typeof json.id === 'string' ? json.id : undefined;
}
