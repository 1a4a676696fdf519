import type { Protocol } from '../../spec/vocabulary.ts';
import { unclearWords } from '../types/reasons/exchange-words.ts';
import type { CheckDefinition } from './check-definition.ts';
import { inconclusive, pass } from './shared/findings.ts';
import { noStream } from './shared/no-stream.ts';
import { type ObservedAspect, observers, type Seen, wordsOf } from './shared/observers.ts';
import { stableValue } from './shared/stable-value.ts';

/** What the document leaves unspecified is written down; nothing here can fail. */
export interface Observe {
  readonly kind: 'observe';
  readonly requirement: string;
  readonly subject: string;
  readonly aspect: ObservedAspect;
  readonly protocol: Protocol;
  readonly probes: readonly string[];
  /** Looked for where the aspect is `recalled`. */
  readonly nonce?: string;
  /** `max_tokens` of the probe, where the aspect is `finish-reason`. */
  readonly limit?: number;
  /**
   * What the probe is held against: for `recalled` a reply that must give its own nonce, for `finish-reason` the
   * same without a limit.
   */
  readonly control?: { readonly exchange: string; readonly nonce?: string };
}

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
      ? inconclusive({ kind: 'not-observed', seen: unclearWords(first.why) })
      : inconclusive('not-shown-by-reply');
  },
};
