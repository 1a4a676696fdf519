import type { Accepted } from '../types/checks/requests.ts';
import type { CheckDefinition } from './check-definition.ts';
import { noStream } from './shared/no-stream.ts';
import { validRequestOutcome } from './shared/valid-request.ts';

export const accepted: CheckDefinition<Accepted> = {
  kind: 'accepted',
  explanation:
    'Passes where the request is answered; judged only where its control, a plain valid request, is answered.',
  reads: ({ probe, controls, after, combinations = [], parts = [] }) => [
    ...combinations,
    probe,
    ...controls,
    ...(after ? [after] : []),
    ...parts,
  ],
  smaller: ({ controls }) => ({ controls }),
  judge(check, view) {
    const outcome = validRequestOutcome(check, view);
    return outcome.verdict === 'inconclusive' ? (noStream(view, check.controls) ?? outcome) : outcome;
  },
};
