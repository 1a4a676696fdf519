import type { Unstreamed } from '../types/checks/replies.ts';
import type { CheckDefinition } from './check-definition.ts';
import { describeFirst, describeReply, describeState } from './shared/describe.ts';
import { failureIn, lastOf } from './shared/failure-in.ts';
import { fail, inconclusive, pass, untested } from './shared/findings.ts';
import { sentOf, unstreamedOf } from './shared/selections.ts';

/**
 * No stream unless asked for (1, 4.1 to 4.3): where `stream` is left out, or where it is declined. Every other such
 * request of the plan is judged with the probes.
 */
export const unstreamed: CheckDefinition<Unstreamed> = {
  kind: 'unstreamed',
  explanation: 'Passes where every request without stream, or with stream false, gets a single result.',
  reads: ({ probes }) => probes,
  readsFurther: ({ protocol, declined }, plan) => unstreamedOf(plan, protocol, declined),
  smaller: ({ declined }) => ({ keeps: declined ? ['stream'] : [] }),
  judge({ protocol, declined, probes, deciding }, view) {
    const planned = [...probes, ...unstreamedOf(view.plan, protocol, declined)];
    // In profile smoke it has no request of its own: those of suites that are not selected would show it.
    if (planned.length === 0) return untested({ kind: 'not-selected' });
    const asked = sentOf(view, [...new Set(planned)]);
    const answered = asked.map((id) => view.state(id)).filter((state) => state.kind === 'answered');
    const failure = failureIn(
      view,
      answered.map((state) => ({
        ...lastOf(state, state.exchange.id),
        aspect:
          state.reading.kind === 'stream'
            ? fail({ kind: 'unrequested-stream', declined }, describeReply(state.exchange))
            : 'kept',
      })),
    );
    if (failure) return failure;
    if (answered.length === 0) return inconclusive('nothing-answered', describeFirst(view, asked));
    const decided = deciding === undefined || !view.request(deciding) ? undefined : view.state(deciding);
    return decided?.kind === 'unclear' ? inconclusive('no-conclusive-reply', describeState(decided)) : pass();
  },
};
