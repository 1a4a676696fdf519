import type { ValidRequest } from '../../types/checks/requests.ts';
import type { Outcome } from '../../types/finding.ts';
import { type EvidenceView, isAnswered, isTaken } from '../evidence-view.ts';
import { isBareText } from './unframed-text.ts';
import { describeState } from './describe.ts';
import { fail, inconclusive, pass, untested } from './findings.ts';
import { tellsApart } from './refusal-features.ts';

/** What the reply to a valid request says of the requirement that it is taken. */
export function validRequestOutcome(
  { probe, controls, after, combinations = [], parts = [] }: ValidRequest,
  view: EvidenceView,
): Outcome {
  const taken = [...combinations, probe].find((id) => isTaken(view, id));
  if (taken !== undefined) return pass(taken);
  const state = view.state(probe);
  const actual = describeState(state);
  if (state.kind === 'unclear') {
    const part = parts.find((id) => !isAnswered(view, id));
    return state.exchange === undefined && part !== undefined
      ? untested({ kind: 'part-unanswered', part })
      : inconclusive('no-conclusive-reply', actual);
  }
  if (isBareText(view, probe)) return inconclusive('unknown-framing', actual);
  const control = controls.find((id) => isAnswered(view, id));
  if (control === undefined) return inconclusive('control-refused', actual);
  const part = parts.find((id) => view.state(id).kind === 'refused');
  if (part !== undefined) return untested({ kind: 'part-refused', part });
  const last = after === undefined ? undefined : view.state(after);
  const isAlike = last?.kind === 'refused' && !tellsApart([state.exchange], [last.exchange]);
  return isAlike
    ? inconclusive('control-refused-alike', actual)
    : fail({ kind: 'valid-value-refused', control }, actual, { exchange: probe });
}
