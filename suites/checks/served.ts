import type { Served } from '../types/checks/requests.ts';
import type { Outcome } from '../types/finding.ts';
import type { CheckDefinition } from './check-definition.ts';
import { type EvidenceView, isTaken } from './evidence-view.ts';
import { describeState } from './shared/describe.ts';
import { fail, inconclusive, pass } from './shared/findings.ts';
import { noStream } from './shared/no-stream.ts';
import { isUnasked } from './shared/unasked.ts';

export const served: CheckDefinition<Served> = {
  kind: 'served',
  explanation: 'Passes where at least one of the requests is answered with output.',
  reads: ({ probes, prerequisites = [], fallback }) => [
    ...probes,
    ...prerequisites,
    ...(fallback ? [...fallback.probes, ...fallback.smallest] : []),
  ],
  smaller: () => ({}),
  judge,
};

function judge(check: Served, view: EvidenceView): Outcome {
  const { prerequisites = [], fallback } = check;
  const answers = (id: string): boolean => isTaken(view, id);
  const probes =
    fallback && !fallback.smallest.some(answers) ? [...check.probes, ...fallback.probes] : check.probes;
  const answered = probes.find(answers);
  if (answered !== undefined) return pass(answered);
  const states = probes.map((id) => view.state(id));
  const refused = probes.find((id) => view.state(id).kind === 'refused');
  const unclear = states.find((state) => state.kind === 'unclear' && state.exchange);
  const seen = unclear ?? (refused === undefined ? states[0] : view.state(refused));
  const actual = seen ? describeState(seen) : 'nothing was sent';
  // One that is served is enough: it may be one that was never asked.
  if (refused === undefined || states.some(isUnasked)) return inconclusive('no-conclusive-reply', actual);
  if (prerequisites.length > 0 && !prerequisites.some(answers))
    return noStream(view, prerequisites) ?? inconclusive('protocol-unanswered', actual);
  return fail('valid-request-refused', actual, { exchange: refused });
}
