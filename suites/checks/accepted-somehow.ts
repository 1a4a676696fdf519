import type { AcceptedSomehow } from '../types/checks/requests.ts';
import { isAnswered } from './evidence-view.ts';
import type { CheckDefinition } from './check-definition.ts';
import { describeFirst } from './shared/describe.ts';
import { inconclusive, pass } from './shared/findings.ts';

export const acceptedSomehow: CheckDefinition<AcceptedSomehow> = {
  kind: 'accepted-somehow',
  explanation:
    'Passes where one of several spellings of the request is answered; none answered decides nothing.',
  reads: ({ probes, controls }) => [...probes, ...controls],
  judge({ probes }, view) {
    if (probes.some((id) => isAnswered(view, id))) return pass();
    return inconclusive('no-known-form-accepted', describeFirst(view, probes));
  },
};
