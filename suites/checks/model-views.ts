import { groupBy } from '../../spec/group-by.ts';
import type { Case } from '../types/case.ts';
import { modelKeyOf } from '../types/plan.ts';
import type { EvidenceView } from './evidence-view.ts';

export type ViewOf = (entry: Pick<Case, 'model' | 'check'>) => EvidenceView;

/**
 * A check that looks for every request of the plan finds those of its own model: what another model does is judged by
 * the case of that one. Only crossed replies are looked for among all.
 */
export function modelViews(view: EvidenceView): ViewOf {
  const requests = groupBy(view.plan.requests, modelKeyOf);
  if (requests.size <= 1) return () => view;
  const views = new Map(
    [...requests].map(([key, own]) => [key, { ...view, plan: { ...view.plan, requests: own } }] as const),
  );
  return ({ model, check }) =>
    check.kind === 'own-context' ? view : (views.get(model && `${model.family} ${model.name}`) ?? view);
}
