import type { Target } from '../../fixtures/target/target.ts';
import { type Family, families, type Group, groups } from '../../spec/vocabulary.ts';

/** What of a declaration shapes a plan: which families and tokens there are, never their values. */
export interface Scope {
  readonly families: readonly Family[];
  readonly groups: readonly Group[];
  readonly rateLimited: boolean;
  /** Groups that are declared with one and the same token; none where it is left out. */
  readonly shared?: readonly (readonly Group[])[];
}

/** The groups of each token that stands for more than one. */
function sharedOf({ tokens }: Pick<Target, 'tokens'>): readonly (readonly Group[])[] {
  const variables = new Set(groups.map((group) => tokens[group]?.variable).filter(Boolean));
  return [...variables]
    .map((variable) => groups.filter((group) => tokens[group]?.variable === variable))
    .filter((those) => those.length > 1);
}

export const scopeOf = (target: Pick<Target, 'models' | 'tokens'>): Scope => ({
  families: families.filter((family) => target.models[family] !== undefined),
  groups: groups.filter((group) => target.tokens[group] !== undefined),
  rateLimited: target.tokens['rate-limited'] !== undefined,
  shared: sharedOf(target),
});
