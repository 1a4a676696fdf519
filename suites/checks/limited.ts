import type { Outcome } from '../model/finding.ts';
import type { CheckDefinition } from './definition.ts';
import { type EvidenceView, isAnswered } from './evidence-view.ts';
import { describeState } from './shared/describe.ts';
import { fail, inconclusive, pass } from './shared/findings.ts';
import { isRefusalOrRateLimit } from './shared/refusals.ts';

/** A token whose limit is spent gets the rate-limit error (7, 8), wherever another token is answered. */
export interface Limited {
  readonly kind: 'limited';
  readonly requirement: string;
  /** By endpoint: the same request with the spent token, and with another. */
  readonly endpoints: readonly { readonly probes: readonly string[]; readonly control: string }[];
}

export const limited: CheckDefinition<Limited> = {
  kind: 'limited',
  explanation: 'Sends with the token whose limit is spent, and with its control.',
  reads: ({ endpoints }) => endpoints.flatMap(({ probes, control }) => [...probes, control]),
  controlPairs: ({ endpoints }) => endpoints.map(({ probes, control }) => ({ probes, controls: [control] })),
  judge,
};

function judge({ endpoints }: Limited, view: EvidenceView): Outcome {
  const tried = endpoints
    .filter(({ control }) => isAnswered(view, control))
    .map(({ probes }) => probes.map((id) => view.state(id)));
  const served = tried.find((states) => states.every((state) => state.kind === 'answered'))?.[0];
  if (served?.kind === 'answered')
    return fail('spent-token-answered', describeState(served), { exchange: served.exchange.id });
  if (tried.flat().some(isRefusalOrRateLimit)) return pass();
  const [seen] = tried.flat();
  return inconclusive('no-conclusive-reply', seen ? describeState(seen) : 'no control was answered');
}
