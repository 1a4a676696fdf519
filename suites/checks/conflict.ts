import type { Conflict } from '../types/checks/requests.ts';
import type { Judgement } from '../types/finding.ts';
import type { CheckDefinition } from './check-definition.ts';
import { type EvidenceView, isAnswered } from './evidence-view.ts';
import { pass } from './shared/findings.ts';

export const conflict: CheckDefinition<Conflict> = {
  kind: 'conflict',
  explanation:
    'The document contradicts itself: which reading the target follows is reported, and neither is failed.',
  reads: ({ pairs }) => [
    ...pairs.map(({ probe }) => probe),
    ...new Set(pairs.flatMap(({ controls }) => controls)),
  ],
  controlPairs: ({ pairs }) => pairs.map(({ probe, controls }) => ({ probes: [probe], controls })),
  judge: ({ refused, served, pairs }, view) => ({
    findings: [refused, served].map((requirement) => ({ requirement, ...pass() })),
    follows: readingOf(pairs, view),
  }),
};

function readingOf(pairs: Conflict['pairs'], view: EvidenceView): NonNullable<Judgement['follows']> {
  const seen = pairs.map(({ probe, controls }) => {
    const { kind } = view.state(probe);
    return kind === 'refused' && !controls.some((id) => isAnswered(view, id)) ? 'unclear' : kind;
  });
  if (seen.includes('unclear')) return 'unknown';
  if (seen.every((kind) => kind === 'answered')) return 'B';
  return seen.includes('answered') ? 'mixed' : 'A';
}
