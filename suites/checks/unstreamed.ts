import type { TextProtocol } from '../../spec/vocabulary.ts';
import type { CheckDefinition } from './check-definition.ts';
import { describeFirst, describeReply } from './shared/describe.ts';
import { fail, inconclusive, pass, untested } from './shared/findings.ts';
import { sentOf, unstreamedOf } from './shared/selections.ts';

/**
 * No stream unless asked for (1, 4.1 to 4.3): where `stream` is left out, or where it is declined. Every other such
 * request of the plan is judged with the probes.
 */
export interface Unstreamed {
  readonly kind: 'unstreamed';
  readonly requirement: string;
  readonly protocol: TextProtocol;
  readonly declined: boolean;
  readonly probes: readonly string[];
}

export const unstreamed: CheckDefinition<Unstreamed> = {
  kind: 'unstreamed',
  explanation: 'Passes where every request without stream, or with stream false, gets a single result.',
  reads: ({ probes }) => probes,
  readsFurther: ({ protocol, declined }, plan) => unstreamedOf(plan, protocol, declined),
  judge({ protocol, declined, probes }, view) {
    const planned = [...probes, ...unstreamedOf(view.plan, protocol, declined)];
    // In profile smoke it has no request of its own: those of suites that are not selected would show it.
    if (planned.length === 0) return untested({ kind: 'not-selected' });
    const asked = sentOf(view, [...new Set(planned)]);
    const answered = asked.map((id) => view.state(id)).filter((state) => state.kind === 'answered');
    const streamed = answered.find((state) => state.reading.kind === 'stream');
    if (streamed) {
      const { exchange } = streamed;
      return fail({ kind: 'unrequested-stream', declined }, describeReply(exchange), {
        exchange: exchange.id,
      });
    }
    return answered.length > 0 ? pass() : inconclusive('nothing-answered', describeFirst(view, asked));
  },
};
