import { oncePerObject } from '../../spec/once.ts';
import type { Check, CheckKind } from '../types/checks/check.ts';
import type { Case } from '../types/case.ts';
import type { Judgement } from '../types/finding.ts';
import { type Plan, modelKeyOf } from '../types/plan.ts';
import { accepted, acceptedSomehow, optional, conflict, served, stillServed } from './served.ts';
import { availability } from './availability.ts';
import { branch, ownContext } from './own-context.ts';
import { chatCompletion, imageCount, imageUrl } from './images.ts';
import { combination } from './combination.ts';
import type { CheckDefinition, ControlPair } from './check-definition.ts';
import { distinct, limited, notRateLimit } from './errors.ts';
import type { EvidenceView } from './evidence-view.ts';
import { incremental, unstreamed } from './incremental.ts';
import { intact } from './intact.ts';
import { lockOut, steady } from './lock-out.ts';
import { observe } from './observe.ts';
import { output, resultFields, tokenLimit, wholeResults } from './result-fields.ts';
import { recall } from './recall.ts';
import { refused } from './refused.ts';
import { replyRule } from './reply-rule.ts';
import { sameModel, tooCostly, undeclared } from './not-asked.ts';
import { stream } from './stream.ts';
import { groupBy } from '../../spec/group-by.ts';

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

const definitions: { readonly [Kind in CheckKind]: CheckDefinition<Kind> } = {
  ...{ served, accepted, optional, refused, combination, conflict, undeclared, steady, availability },
  ...{ output, observe, intact, recall, branch, unstreamed, stream, incremental, distinct, limited },
  'accepted-somehow': acceptedSomehow,
  'chat-completion': chatCompletion,
  'image-count': imageCount,
  'image-url': imageUrl,
  'lock-out': lockOut,
  'not-rate-limit': notRateLimit,
  'own-context': ownContext,
  'reply-rule': replyRule,
  'result-fields': resultFields,
  'same-model': sameModel,
  'still-served': stillServed,
  'token-limit': tokenLimit,
  'too-costly': tooCostly,
  'whole-results': wholeResults,
};

export const checkKinds = Object.keys(definitions) as readonly CheckKind[];

/** The kind tells which data a definition takes, which the type of a union of them does not. */
const definitionOf = (kind: CheckKind) => definitions[kind] as CheckDefinition<CheckKind>;

/** Judges one case by its check. Pure: the same evidence gives the same judgement. */
export function judgementOf({ check, requirements }: Case, view: EvidenceView): Judgement {
  const judged = definitionOf(check.kind).judge(check, view, requirements);
  if ('findings' in judged) return judged;
  const shows = 'exchange' in judged ? { shows: judged.exchange } : {};
  const outcome = judged.verdict === 'pass' ? { verdict: judged.verdict } : judged;
  const judgedIds = 'requirement' in check ? [check.requirement] : requirements;
  return { findings: judgedIds.map((requirement) => ({ requirement, ...outcome })), ...shows };
}

export const explanationOf = (kind: CheckKind): string => definitionOf(kind).explanation;

/** Ids of the exchanges that a check names, the one that it is about first. */
export const reads = (check: Check): readonly string[] => definitionOf(check.kind).reads(check);

/** What each check of a plan reads in it: causes ask again and again. */
const readsOfPlan = oncePerObject((plan: Pick<Plan, 'requests'>) => {
  const planned = new Set(plan.requests.map(({ id }) => id));
  return oncePerObject((check: Check): readonly string[] => {
    const further = definitionOf(check.kind).readsFurther?.(check, plan) ?? [];
    return [...new Set([...reads(check), ...further.filter((id) => planned.has(id))])];
  });
});

/** All that a check reads in a plan: what it names, and what else the plan happens to hold for it. */
export const readsIn = (check: Check, plan: Pick<Plan, 'requests'>) => readsOfPlan(plan)(check);

/** The requests of a check that a refusal is judged of, with their controls. */
export const controlPairs = (check: Check): readonly ControlPair[] =>
  definitionOf(check.kind).controlPairs?.(check) ?? [];

/** What a smaller request that shows the same must keep; undefined where none can show it. */
export const smallerOf = (check: Check) => definitionOf(check.kind).smaller?.(check);

export const timed = (check: Check): readonly string[] => definitionOf(check.kind).timed?.(check) ?? [];
