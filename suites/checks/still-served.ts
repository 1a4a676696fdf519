import { isAnswered } from './evidence-view.ts';
import type { CheckDefinition } from './check-definition.ts';
import { describeState } from './shared/describe.ts';
import { inconclusive, pass } from './shared/findings.ts';

/** The control still works after the requests that must be refused (principle 4). */
export interface StillServed {
  readonly kind: 'still-served';
  readonly requirement: string;
  /** One of these was answered before them. */
  readonly before: readonly string[];
  readonly after: string;
}

export const stillServed: CheckDefinition<StillServed> = {
  kind: 'still-served',
  explanation: 'Passes where a valid request still works after the requests that must be refused.',
  reads: ({ before, after }) => [after, ...before],
  judge({ before, after }, view) {
    const last = view.state(after);
    if (last.kind === 'answered') return pass();
    const lost =
      last.exchange === undefined ? 'valid-request-not-sent-again' : 'valid-request-fails-afterwards';
    const reason = before.some((id) => isAnswered(view, id)) ? lost : 'control-never-answered';
    return inconclusive(reason, describeState(last));
  },
};
