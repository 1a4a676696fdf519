import type { StillServed } from '../types/checks/requests.ts';
import { isAnswered } from './evidence-view.ts';
import type { CheckDefinition } from './check-definition.ts';
import { describeState } from './shared/describe.ts';
import { inconclusive, pass } from './shared/findings.ts';

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
