import type { CheckOf } from '../types/checks/check.ts';
import type { Outcome } from '../types/finding.ts';
import type { UnsentReason } from '../types/reasons/exchange-reasons.ts';
import type { CheckDefinition } from './check-definition.ts';
import { type EvidenceView, isAnswered, type State } from './evidence-view.ts';
import { plainId } from '../types/request-ids.ts';
import { describeState, fail, inconclusive, pass, untested } from './shared/findings.ts';
import { doubtOf, nearControls, otherModelNamed } from './shared/near-controls.ts';
import { noStream } from './shared/valid-request.ts';

type Refused = CheckOf<'refused'>;

/** Output is a violation whatever else happened; a refusal counts only with a near control answered before and after (principle 4). */
export const refused: CheckDefinition<'refused'> = {
  explanation:
    'Passes where the request gets no output while its control, which differs in one thing, does. Any refusal will do: status and body are not shown. Connection failures, timeouts, 429 and 502/503/504 prove nothing, but for a status that comes four times in the same words while the control is answered.',
  reads: ({ probe, controls, after, explainedBy, instead }) => [
    probe,
    ...controls,
    ...(instead ? [instead.probe, ...instead.controls] : []),
    ...(after ? [after] : []),
    ...(explainedBy ? [explainedBy.answered, explainedBy.refused] : []),
  ],
  controlPairs: ({ probe, controls, instead }) => [
    { probes: [probe], controls },
    ...(instead ? [{ probes: [instead.probe], controls: instead.controls }] : []),
  ],
  smaller: ({ controls, instead }) => ({ controls: [...controls, ...(instead?.controls ?? [])] }),
  judge,
};

function judge(check: Refused, view: EvidenceView): Outcome {
  const { probe, rule, explainedBy } = check;
  const state = view.state(probe);
  const kindOf = (id: string) => view.state(id).kind;
  if (state.kind === 'refused') {
    const lock = view.lockOutOf(state.exchange);
    if (lock !== undefined)
      return inconclusive({ kind: 'refused-while-locked', exchange: lock.exchange }, describeState(state));
    const other = otherModelNamed(view, state.exchange);
    if (other !== undefined)
      return inconclusive({ kind: 'refusal-of-other-model', model: other }, describeState(state));
    const doubt = unsupported(check, state, view);
    return doubt === undefined ? pass() : (judgedInstead(check, view) ?? doubt);
  }
  if (state.kind === 'answered') {
    if (check.sameModel) return untested({ kind: 'same-model', families: check.sameModel });
    const isExplained =
      explainedBy && kindOf(explainedBy.answered) === 'answered' && kindOf(explainedBy.refused) === 'refused';
    return isExplained
      ? untested({ kind: 'answer-explained', exchange: explainedBy.answered })
      : fail({ kind: 'not-refused', rule }, describeState(state));
  }
  const unsent = state.why.kind === 'not-sent' ? state.why.unsent : undefined;
  if (unsent?.kind === 'no-near-miss') return untested('token-unalterable');
  if (unsent?.kind === 'stand-in-not-needed') return untested('not-needed');
  const [control] = check.controls;
  if (unsent?.kind === 'not-answered' && check.controlMayBeRefused && control !== undefined)
    return untested({ kind: 'part-unanswered', part: control });
  if (unsent?.kind === 'reply-lacks' && check.controlMayBeRefused) return untested(unsent);
  return inconclusive('no-conclusive-reply', describeState(state));
}

/** What the request shows that is sent in place of a probe whose controls are refused; undefined where it was not sent. */
function judgedInstead({ instead, ...check }: Refused, view: EvidenceView): Outcome | undefined {
  if (instead === undefined || view.state(instead.probe).exchange === undefined) return undefined;
  const outcome = judge({ ...check, ...instead, controlMayBeRefused: false }, view);
  return outcome.verdict === 'fail' ? { ...outcome, exchange: instead.probe } : outcome;
}

/** What was not sent for want of an answer, or because others were answered that can't stand for it. */
const notSentFirst: ReadonlySet<UnsentReason['kind']> = new Set([
  'not-answered',
  'reply-lacks',
  'stand-in-not-needed',
]);

/** Whether it is refused, or was not sent since what comes before it is. */
const isRefusedFirst = (state: State): boolean =>
  state.kind === 'refused' ||
  (state.kind === 'unclear' && state.why.kind === 'not-sent' && notSentFirst.has(state.why.unsent.kind));

/** Why what the refusal rests on is not enough; undefined where it is. */
function unsupported(check: Refused, refusal: Extract<State, { kind: 'refused' }>, view: EvidenceView) {
  const { controls, after, controlMayBeRefused = false } = check;
  // A control that needs what is not declared is not planned, and says nothing.
  const declared = controls.filter((id) => view.request(id));
  if (declared.length === 0) return untested('no-control-declared');
  const near = nearControls(check, refusal, view);
  const doubt = doubtOf(refusal, near, view);
  if (doubt !== undefined) {
    const streamless = noStream(view, controls);
    if (streamless) return streamless;
    if (near.length === 0) return untested('no-near-control');
    const states = near.map(({ state }) => state);
    return controlMayBeRefused && states.every((state) => state.kind === 'answered' || isRefusedFirst(state))
      ? untested('controls-unspecified')
      : inconclusive(doubt, states.map(describeState).join('; '));
  }
  const last = after === undefined ? undefined : view.state(after);
  if (last === undefined || last.kind === 'answered') return undefined;
  if (last.exchange === undefined) return inconclusive('control-not-sent-again', describeState(last));
  return inconclusive(
    wasAnswered(check, view) ? 'control-fails-afterwards' : 'control-never-answered',
    describeState(last),
  );
}

/** Whether the control that is sent last was answered before: it is no stream, and some endpoints give nothing else. */
const wasAnswered = ({ probe, controls }: Refused, view: EvidenceView): boolean => {
  const protocol = view.request(probe)?.protocol;
  const whole = controls.filter((id) => view.request(id)?.stream === false);
  return [...whole, ...(protocol ? [plainId(protocol)] : [])].some((id) => isAnswered(view, id));
};
