/**
 * Whether the target knows what is declared: it is answered; it is refused in other words than something invented; it is
 * refused in the same words wherever they are compared, and something else is not; nothing else tells these words from
 * those that all gets; or nothing is compared.
 */
export type Knowledge = 'accepted' | 'known' | 'unknown' | 'alike' | 'not-compared';

/** A declared token or model, and whether the target knows it. */
export interface ReportDeclared {
  /** The keys of the config that name it. */
  readonly keys: readonly string[];
  readonly kind: 'token' | 'model';
  readonly knowledge: Knowledge;
  /** The exchanges that show it. */
  readonly exchanges: readonly string[];
}

/** Whether it is shown to be right: a model by an answer, a token also by a refusal that an invented one does not get. */
export const isShownRight = ({ kind, knowledge }: Pick<ReportDeclared, 'kind' | 'knowledge'>): boolean =>
  knowledge === 'accepted' || (kind === 'token' && knowledge === 'known');
