import { areEventsUnspecified } from '../../spec/vocabulary.ts';
import type { Finding } from '../model/finding.ts';
import type { CheckDefinition } from './definition.ts';
import { type EvidenceView, isTaken } from './evidence-view.ts';
import { describeState } from './shared/describe.ts';
import { fail, inconclusive, oneFinding, pass, untested } from './shared/findings.ts';
import { tellsApart } from './shared/refusal-features.ts';

/** A valid request is answered, where its control is. */
export interface Accepted {
  readonly kind: 'accepted';
  readonly requirement: string;
  readonly probe: string;
  readonly controls: readonly string[];
  /** The control again, last: where it is refused as the probe is, the value was not the reason. */
  readonly after?: string;
  /** Requests for a part of the same, each by itself: where one is refused as well, it is blamed there. */
  readonly parts?: readonly string[];
}

export const accepted: CheckDefinition<Accepted> = {
  kind: 'accepted',
  explanation:
    'Passes where the request is answered; judged only where its control, a plain valid request, is answered.',
  reads: ({ probe, controls, after, parts = [] }) => [
    probe,
    ...controls,
    ...(after === undefined ? [] : [after]),
    ...parts,
  ],
  judge: (check, view) => oneFinding(judge(check, view)),
};

function judge(check: Accepted, view: EvidenceView): Finding {
  const { requirement, probe, controls, after, parts = [] } = check;
  const state = view.state(probe);
  if (isTaken(view, probe)) return pass(requirement);
  const actual = describeState(state);
  if (state.kind === 'unclear') {
    const part = parts.find((id) => view.state(id).kind !== 'answered');
    return state.exchange === undefined && part !== undefined
      ? untested(requirement, { kind: 'part-unanswered', part })
      : inconclusive(requirement, { kind: 'no-conclusive-reply' }, { actual });
  }
  if (isBareText(view, probe)) return inconclusive(requirement, { kind: 'unknown-framing' }, { actual });
  const control = controls.find((id) => view.state(id).kind === 'answered');
  if (control === undefined) return inconclusive(requirement, { kind: 'control-refused' }, { actual });
  const part = parts.find((id) => view.state(id).kind === 'refused');
  if (part !== undefined) return untested(requirement, { kind: 'part-refused', part });
  const last = after === undefined ? undefined : view.state(after);
  const isAlike = last?.kind === 'refused' && !tellsApart([state.exchange], [last.exchange]);
  if (isAlike) return inconclusive(requirement, { kind: 'control-refused-alike' }, { actual });
  return fail(requirement, { reason: { kind: 'valid-value-refused', control }, actual });
}

/** Text where a stream was asked for: on Messages neither its events nor its framing are shown (4.2, 6). */
function isBareText(view: EvidenceView, id: string): boolean {
  const state = view.state(id);
  const request = view.request(id);
  return (
    request?.stream === true &&
    areEventsUnspecified(request.protocol) &&
    state.kind === 'refused' &&
    (state.reading.form === 'text' || typeof state.reading.json === 'string') &&
    (state.exchange.response?.status ?? 0) < 300
  );
}
