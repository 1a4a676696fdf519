import type { Protocol } from '../../../spec/vocabulary.ts';
import type { Observe } from '../../types/checks/replies.ts';
import type { ObservedAspect } from '../../types/checks/replies.ts';
import type { CaseBuilder } from './case-builder.ts';

export interface Observation {
  readonly id: string;
  /** Of the case; its subject where it is left out. */
  readonly title?: string;
  readonly protocol: Protocol;
  readonly requirement: string;
  readonly subject: string;
  readonly aspect: ObservedAspect;
  /** Plans the requests that show it, and gives their ids. */
  readonly probes: () => readonly string[];
  /** What the probe is held against, where its reply alone does not show the aspect. */
  readonly against?: () => Pick<Observe, 'limit' | 'control'>;
}

/** Adds the case of what the interface does not say of a protocol: it is observed and never failed. */
export function addObservation(
  builder: CaseBuilder,
  { id, subject, title = subject, protocol, requirement, aspect, probes, against }: Observation,
): void {
  builder.addOne({ id, title, requirement }, protocol, () => ({
    kind: 'observe',
    subject,
    aspect,
    protocol,
    probes: probes(),
    ...against?.(),
  }));
}
