import type { Judgement } from '../model/finding.ts';
import type { CheckDefinition } from './definition.ts';
import { type EvidenceView, isAnswered } from './evidence-view.ts';
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

export const conflict: CheckDefinition<Conflict> = {
  kind: 'conflict',
  explanation:
    'The document contradicts itself: which reading the target follows is reported, and neither is failed.',
  reads: ({ probes, controls }) => [...probes, ...controls],
  controlPairs: ({ probes, controls }) => [{ probes, controls }],
  judge: ({ refused, served, probes, controls }, view) => ({
    findings: [refused, served].map((requirement) => ({ requirement, ...pass() })),
    follows: readingOf(probes, controls, view),
  }),
};

function readingOf(
  probes: readonly string[],
  controls: readonly string[],
  view: EvidenceView,
): NonNullable<Judgement['follows']> {
  const kinds = probes.map((id) => view.state(id).kind);
  if (kinds.every((kind) => kind === 'answered')) return 'B';
  if (kinds.includes('unclear')) return 'unknown';
  if (kinds.includes('answered')) return 'neither';
  return controls.some((id) => isAnswered(view, id)) ? 'A' : 'unknown';
}
