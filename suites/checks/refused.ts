import type { Outcome } from '../types/finding.ts';
import type { SameModel } from '../types/scope.ts';
import type { CheckDefinition } from './check-definition.ts';
import type { EvidenceView, State } from './evidence-view.ts';
import { describeState } from './shared/describe.ts';
import { fail, inconclusive, pass, untested } from './shared/findings.ts';
import { noStream } from './shared/no-stream.ts';

/**
 * A request outside the contract gets no output. Output is a violation whatever else happened; a
 * refusal counts only where a control was answered before and afterwards (principle 4).
 */
export interface Refused {
  readonly kind: 'refused';
  readonly requirement: string;
  readonly probe: string;
  readonly controls: readonly string[];
  /** The control again, after everything that may have upset the target; absent where there is none. */
  readonly after?: string;
  /** What of the contract the request breaks: behind "a refusal:". */
  readonly rule: string;
  /** A control that is refused breaks no requirement here, and leaves this one nothing to test it with. */
  readonly controlMayBeRefused?: boolean;
  /**
   * Where `answered` is answered and `refused` is refused, an answer to the probe has the reason of the first:
   * it is blamed there.
   */
  readonly explainedBy?: { readonly answered: string; readonly refused: string };
  /** Of the second family, which has the same model, nothing is stated here: an answer may be for that. */
  readonly sameModel?: SameModel;
}

export const refused: CheckDefinition<Refused> = {
  kind: 'refused',
  explanation:
    'Passes where the request gets no output while its control, which differs in one thing, does. Any refusal will do: status and body are not shown. Connection failures, timeouts, 429 and 502/503/504 prove nothing, but for a status that comes four times in the same words while the control is answered.',
  reads: ({ probe, controls, after, explainedBy }) => [
    probe,
    ...controls,
    ...(after ? [after] : []),
    ...(explainedBy ? [explainedBy.answered, explainedBy.refused] : []),
  ],
  controlPairs: ({ probe, controls }) => [{ probes: [probe], controls }],
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
    return unsupported(check, view) ?? pass();
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

/** Whether it is refused, or was not sent because the answer is lacking that it takes something from. */
const isRefusedFirst = (state: State): boolean =>
  state.kind === 'refused' ||
  (state.kind === 'unclear' &&
    state.why.kind === 'not-sent' &&
    (state.why.unsent.kind === 'not-answered' || state.why.unsent.kind === 'reply-lacks'));

/** Why what the refusal rests on is not enough; undefined where it is. */
function unsupported(
  { controls, after, controlMayBeRefused = false }: Refused,
  view: EvidenceView,
): Outcome | undefined {
  // A control that needs what is not declared is not planned, and says nothing.
  const states = controls.filter((id) => view.request(id)).map((id) => view.state(id));
  if (states.length === 0) return untested('no-control-declared');
  if (!states.some((state) => state.kind === 'answered')) {
    const streamless = noStream(view, controls);
    if (streamless) return streamless;
    return controlMayBeRefused && states.every(isRefusedFirst)
      ? untested('controls-unspecified')
      : inconclusive('control-refused', states.map(describeState).join('; '));
  }
  const last = after === undefined ? undefined : view.state(after);
  if (last === undefined || last.kind === 'answered') return undefined;
  const reason = last.exchange === undefined ? 'control-not-sent-again' : 'control-fails-afterwards';
  return inconclusive(reason, describeState(last));
}
