import type { TextProtocol } from '../../spec/vocabulary.ts';
import type { CheckDefinition } from './definition.ts';
import { describeFirst, describeState } from './shared/describe.ts';
import { fail, inconclusive, oneFinding, pass } from './shared/findings.ts';
import { unstreamedOf } from './shared/selections.ts';

/**
 * No stream unless asked for: where `stream` is left out, or where it is declined. Every other such
 * request of the plan is judged with the probes.
 */
export interface Unstreamed {
  readonly kind: 'unstreamed';
  readonly requirement: string;
  readonly protocol: TextProtocol;
  readonly declined: boolean;
  readonly probes: readonly string[];
}

/** No stream unless asked for (1, 4.1 to 4.3). */
export const unstreamed: CheckDefinition<Unstreamed> = {
  kind: 'unstreamed',
  explanation: 'Passes where every request without stream, or with stream false, gets a single result.',
  reads: ({ probes }) => probes,
  readsFurther: ({ protocol, declined }, plan) => unstreamedOf(plan, protocol, declined),
  judge({ requirement, protocol, declined, probes }, view) {
    const asked = [...new Set([...probes, ...unstreamedOf(view.plan, protocol, declined)])];
    const isStreamed = (id: string): boolean => {
      const state = view.state(id);
      return state.kind === 'answered' && state.reading.kind === 'stream';
    };
    const streamed = asked.find(isStreamed);
    if (streamed !== undefined) {
      const actual = describeState(view.state(streamed));
      return oneFinding(
        fail(requirement, { reason: { kind: 'unrequested-stream', declined }, actual }),
        streamed,
      );
    }
    return oneFinding(
      asked.some((id) => view.state(id).kind === 'answered')
        ? pass(requirement)
        : inconclusive(requirement, { kind: 'nothing-answered' }, { actual: describeFirst(view, asked) }),
    );
  },
};
