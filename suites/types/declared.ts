import type { ReportDeclared } from './report.ts';

export type { Knowledge, ReportDeclared } from './report.ts';

/** Whether it is shown to be right: a model by an answer, a token also by a refusal that an invented one does not get. */
export const isShownRight = ({ kind, knowledge }: Pick<ReportDeclared, 'kind' | 'knowledge'>): boolean =>
  knowledge === 'accepted' || (kind === 'token' && knowledge === 'known');
