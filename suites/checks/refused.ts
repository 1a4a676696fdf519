import type { Check } from '../model/case.ts';
import type { Judgement } from '../model/finding.ts';
import { unsentWords } from '../model/words.ts';
import { type EvidenceView, unsentReason } from './evidence-view.ts';
import { fail, inconclusive, pass, describeState, untested } from './findings.ts';

/**
 * A request outside the contract gets no output. Output is a violation whatever else happened; a
 * refusal counts only beside a control that was answered before and afterwards (principle 4).
 */
export function refused(check: Extract<Check, { kind: 'refused' }>, view: EvidenceView): Judgement {
  const { requirement, probe, expected, explained } = check;
  const state = view.state(probe);
  const kindOf = (id: string) => view.state(id).kind;
  if (state.kind === 'answered') {
    if (explained && kindOf(explained.by) === 'answered' && kindOf(explained.absent) === 'refused')
      return { findings: [untested(requirement, `answered, as is ${explained.by}`)] };
    const message = 'answered with output';
    return { findings: [fail(requirement, { message, expected, actual: describeState(state) })] };
  }
  if (state.kind === 'unclear') {
    const unsent = unsentReason(state);
    const isMoot = unsent?.kind === 'no-near-miss' || unsent?.kind === 'stand-in-not-needed';
    return {
      findings: [
        isMoot
          ? untested(requirement, unsentWords(unsent))
          : inconclusive(requirement, 'no reply decides it', describeState(state)),
      ],
    };
  }
  return unsupported(check, view) ?? { findings: [pass(requirement)] };
}

/** What the refusal rests on, where that is not enough. */
function unsupported(check: Extract<Check, { kind: 'refused' }>, view: EvidenceView): Judgement | null {
  const { requirement, controls, after, freeControl = false } = check;
  // A control that the declaration leaves no room for says nothing either way.
  const states = controls.filter((id) => view.request(id)).map((id) => view.state(id));
  if (states.length === 0) {
    return {
      findings: [untested(requirement, 'refused, and the target declares no control that would not be')],
    };
  }
  if (!states.some((state) => state.kind === 'answered')) {
    const seen = states.map(describeState).join('; ');
    if (freeControl && states.every((state) => state.kind === 'refused')) {
      return {
        findings: [untested(requirement, 'refused, as is every control that the document leaves open')],
      };
    }
    return {
      findings: [
        inconclusive(requirement, 'refused, and so is the control: the refusal proves nothing', seen),
      ],
    };
  }
  if (after === undefined) return null;
  const last = view.state(after);
  if (last.kind === 'answered') return null;
  const message =
    last.exchange === undefined
      ? 'the control was not sent again afterwards'
      : 'the control no longer works afterwards';
  return { findings: [inconclusive(requirement, message, describeState(last))] };
}

/** Both readings of a contradiction, looked at with and without a stream; neither is failed. */
export function conflict(check: Extract<Check, { kind: 'conflict' }>, view: EvidenceView): Judgement {
  const states = check.probes.map((id) => view.state(id));
  const control = check.controls.some((id) => view.state(id).kind === 'answered');
  const follows = (() => {
    if (states.every((state) => state.kind === 'answered')) return 'B';
    if (states.some((state) => state.kind === 'unclear')) return 'unknown';
    if (states.some((state) => state.kind === 'answered')) return 'neither';
    return control ? 'A' : 'unknown';
  })();
  return { findings: [pass(check.refused), pass(check.served)], follows };
}
