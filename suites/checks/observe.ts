import { modelSent } from '../reading/reply-words.ts';
import type { Observe } from '../types/checks/replies.ts';
import type { CheckDefinition } from './check-definition.ts';
import type { EvidenceView } from './evidence-view.ts';
import { describeUnclear, inconclusive, pass } from './shared/findings.ts';
import { noStream } from './shared/no-stream.ts';
import { isJoint, jointObservers } from './shared/joint-observers.ts';
import { observers, type Seen, wordsOf } from './shared/observers.ts';
import { isUnasked } from './served.ts';

export const observe: CheckDefinition<Observe> = {
  kind: 'observe',
  explanation: 'It is unspecified: what the target does is written down, and nothing is failed.',
  reads: ({ probes, control }) => [...probes, ...(control ? [control.exchange] : [])],
  judge(check, view) {
    const { requirement, subject, aspect, probes } = check;
    const states = probes.map((id) => view.state(id));
    const { control, ...asked } = check;
    const compared = control ? { control: { ...control, state: view.state(control.exchange) } } : {};
    const models = aspect === 'refusal-internals' ? modelsAsked(view) : [];
    const look = (): readonly (Seen | undefined)[] =>
      isJoint(aspect)
        ? [jointObservers[aspect](states)]
        : states.map((state) => observers[aspect](state, { ...asked, ...compared, models }));
    const seen = look().filter((one) => one !== undefined);
    if (seen.length > 0) {
      const value = [...new Set(seen.map(wordsOf))].join('; ');
      const stable = stableValue(view, probes, seen);
      const findings = [{ requirement, ...pass() }];
      const observation = { requirement, subject, value };
      return { findings, observations: [stable === value ? observation : { ...observation, stable }] };
    }
    const streamless = noStream(view, probes);
    if (streamless) return streamless;
    const [first] = states;
    return first?.kind === 'unclear'
      ? inconclusive({ kind: 'not-observed', seen: describeUnclear(first) })
      : inconclusive('not-shown-by-reply');
  },
};

const modelsAsked = (view: EvidenceView): readonly string[] => [
  ...new Set(
    view
      .exchanges()
      .filter((exchange) => view.requestOf(exchange)?.expect === 'answer')
      .flatMap((exchange) => modelSent(exchange) ?? []),
  ),
];

/** A refusal is no behaviour of its own where no request of its protocol is answered. */
function isUnfounded(view: EvidenceView, id: string): boolean {
  if (view.state(id).kind !== 'refused') return false;
  const protocol = view.request(id)?.protocol;
  return !view.plan.requests.some((one) => one.protocol === protocol && view.kind(one.id) === 'answered');
}

/**
 * What of an observation stays the same from run to run as long as the target does not change; null where nothing
 * does, or where this run could not see it whole.
 * @param seen what each of the probes shows
 */
function stableValue(view: EvidenceView, probes: readonly string[], seen: readonly Seen[]): string | null {
  // What a token with a spent limit is told is always a reply that says "later".
  const needsReplies = seen.some((one) => typeof one === 'string' || one.whenUnclear !== true);
  if (needsReplies && probes.some((id) => isUnasked(view.state(id)))) return null;
  if (probes.some((id) => isUnfounded(view, id))) return null;
  const parts = seen.map((one) => (typeof one === 'string' ? one : one.stable));
  const known = parts.filter((part) => part !== null);
  return known.length === parts.length ? [...new Set(known)].join('; ') : null;
}
