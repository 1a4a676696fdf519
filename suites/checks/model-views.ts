import { groupBy } from '../../spec/group-by.ts';
import type { Case } from '../types/case.ts';
import { modelKeyOf } from '../types/plan.ts';
import type { EvidenceView } from './evidence-view.ts';

export type ViewOf = (entry: Pick<Case, 'model' | 'check'>) => EvidenceView;

/** A check of every request finds those of its own model; only crossed replies are looked for among all. */
export function modelViews(view: EvidenceView): ViewOf {
  const requests = groupBy(view.plan.requests, modelKeyOf);
  if (requests.size <= 1) return () => view;
  const views = new Map(
    [...requests].map(([key, own]) => [key, { ...view, plan: { ...view.plan, requests: own } }] as const),
  );
  return ({ model, check }) =>
    check.kind === 'own-context' ? view : (views.get(model && `${model.family} ${model.name}`) ?? view);
}
