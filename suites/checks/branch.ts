import type { Branch, Check } from '../model/case.ts';
import type { Judgement } from '../model/finding.ts';
import { isObject } from '../reading/json.ts';
import { replyText } from '../reading/text.ts';
import type { EvidenceView } from './evidence-view.ts';
import { filtered, holds, isFiltered, recalls } from './recall.ts';
import { type Contradiction, excerpt, fail, inconclusive, pass, describeState } from './findings.ts';

/** A branch of a chain knows its own turns; what was said in another branch can't be known in it (4.1). */
export function branch(check: Extract<Check, { kind: 'branch' }>, view: EvidenceView): Judgement {
  const { requirement, probes, controls, plain } = check;
  for (const probe of probes) {
    const wrong = mixed(probe, view);
    if (wrong) return { findings: [fail(requirement, wrong)], shows: wrong.exchange };
  }
  const states = probes.map((probe) => ({ probe, state: view.state(probe.exchange) }));
  const own = states.find(({ probe, state }) => recalls(state, 'responses', probe.nonce));
  if (own) return { findings: [pass(requirement)], shows: own.probe.exchange };
  const silent = states.find(({ state }) => state.kind === 'answered')?.state;
  if (silent?.kind === 'answered') {
    const text = excerpt(replyText(silent.reading, 'responses'));
    return {
      findings: [inconclusive(requirement, 'the reply names neither branch', text, 'model-behaviour')],
    };
  }
  const left = states.find(({ probe }) => !isFiltered(view, probe, controls));
  return {
    findings: [
      left
        ? inconclusive(requirement, 'no reply decides it', describeState(left.state))
        : filtered(requirement, plain, view),
    ],
  };
}

/** What shows that two branches are one. */
function mixed(probe: Branch, view: EvidenceView): (Contradiction & { exchange: string }) | undefined {
  const id = idOf(probe.other, view);
  if (id !== undefined && id === idOf(probe.root, view)) {
    return {
      message: 'a response has the id of the one that it is chained on',
      expected: 'an id of its own for each response',
      actual: excerpt(id),
      pointer: '/id',
      exchange: probe.other,
    };
  }
  const state = view.state(probe.exchange);
  const text = state.kind === 'answered' ? replyText(state.reading, 'responses') : '';
  if (!holds(text, probe.foreign)) return undefined;
  const message = 'the reply knows what was said in another branch only';
  return { message, expected: probe.nonce, actual: excerpt(text), exchange: probe.exchange };
}

function idOf(id: string, view: EvidenceView): string | undefined {
  const state = view.state(id);
  const json = state.kind === 'answered' && state.reading.kind === 'result' ? state.reading.json : undefined;
  return isObject(json) && typeof json.id === 'string' ? json.id : undefined;
}
