import type { CauseKind, ReportCause } from './report.ts';

export type { CauseKind, ReportCause, SmallestRequest } from './report.ts';

/** What may stand behind verdicts, in the order looked for: operator's mistakes first, what was not asked last. */
export const causeKinds = [
  'unreachable',
  'base-address',
  'token-not-accepted',
  'tokens-exchanged',
  'same-token',
  'model-not-known',
  'token-not-told',
  'model-not-told',
  'stopped-answering',
  'endpoint-absent',
  'endpoint-unanswered',
  'family-not-served',
  'stream-not-offered',
  'parameter-not-supported',
  'text-refused',
  'result-field-broken',
  'requirement-broken',
  'not-refused',
  'limit-hit',
  'no-answer-in-time',
  'no-usable-reply',
  'run-stopped',
  'not-decided',
  'model-behaviour',
  'too-fast',
  'not-declared',
  'not-asked',
] as const satisfies readonly CauseKind[];

/** Kinds that say what the run was not asked or not told to try: neither the target nor the run is to blame. */
export const isOutOfScope = ({ kind }: Pick<ReportCause, 'kind'>): boolean =>
  kind === 'not-declared' || kind === 'not-asked';
