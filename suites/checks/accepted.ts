import type { CheckDefinition } from './check-definition.ts';
import { noStream } from './shared/no-stream.ts';
import { type ValidRequest, validRequestOutcome } from './shared/valid-request.ts';

/** A valid request is answered, where its control is. */
export interface Accepted extends ValidRequest {
  readonly kind: 'accepted';
  readonly requirement: string;
}

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
  judge(check, view) {
    const outcome = validRequestOutcome(check, view);
    return outcome.verdict === 'inconclusive' ? (noStream(view, check.controls) ?? outcome) : outcome;
  },
};
