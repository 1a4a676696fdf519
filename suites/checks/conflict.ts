import type { Judgement } from '../model/finding.ts';
import type { CheckDefinition } from './definition.ts';
import type { EvidenceView } from './evidence-view.ts';
import { pass } from './shared/findings.ts';

/** Both readings of a contradiction are looked at, neither is failed. */
export interface Conflict {
  readonly kind: 'conflict';
  readonly conflict: string;
  /** The requirement of each reading. */
  readonly served: string;
  readonly refused: string;
  readonly probes: readonly string[];
  readonly controls: readonly string[];
}

/** Both readings of a contradiction, looked at with and without a stream; neither is failed. */
export const conflict: CheckDefinition<Conflict> = {
  kind: 'conflict',
  explanation:
    'The document contradicts itself: which reading the target follows is reported, and neither is failed.',
  reads: ({ probes, controls }) => [...probes, ...controls],
  controlPairs: ({ probes, controls }) => [{ probes, controls }],
  judge: (check, view) => ({
    findings: [pass(check.refused), pass(check.served)],
    follows: readingOf(check, view),
  }),
};

function readingOf({ probes, controls }: Conflict, view: EvidenceView): NonNullable<Judgement['follows']> {
  const states = probes.map((id) => view.state(id));
  if (states.every((state) => state.kind === 'answered')) return 'B';
  if (states.some((state) => state.kind === 'unclear')) return 'unknown';
  if (states.some((state) => state.kind === 'answered')) return 'neither';
  return controls.some((id) => view.state(id).kind === 'answered') ? 'A' : 'unknown';
}
