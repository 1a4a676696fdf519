import type { Observe } from '../types/checks/replies.ts';
import type { CheckDefinition } from './check-definition.ts';
import { describeUnclear } from './shared/describe.ts';
import { inconclusive, pass } from './shared/findings.ts';
import { noStream } from './shared/no-stream.ts';
import { observers, type Seen, wordsOf } from './shared/observers.ts';
import { stableValue } from './shared/stable-value.ts';

export const observe: CheckDefinition<Observe> = {
  kind: 'observe',
  explanation: 'It is unspecified: what the target does is written down, and nothing is failed.',
  reads: ({ probes, control }) => [...probes, ...(control ? [control.exchange] : [])],
  judge(check, view) {
    const { requirement, subject, aspect, probes } = check;
    const states = probes.map((id) => view.state(id));
    const { control, ...asked } = check;
    const compared = control ? { control: { ...control, state: view.state(control.exchange) } } : {};
    const seen = states
      .map((state): Seen | undefined => observers[aspect](state, { ...asked, ...compared }))
      .filter((one) => one !== undefined);
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
