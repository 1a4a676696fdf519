import type { Target } from '../../fixtures/target/target.ts';
import { shownVersion } from '../../spec/protocols.ts';
import { allGroups } from '../../spec/extension.ts';
import { type Family, families, type Group } from '../../spec/vocabulary.ts';

/** What of a declaration shapes a plan: families, models beyond the first and tokens, never the values of tokens. */
export interface Scope {
  readonly families: readonly Family[];
  readonly groups: readonly Group[];
  readonly rateLimited: boolean;
  /** Groups that are declared with one and the same token; none where it is left out. */
  readonly shared?: readonly (readonly Group[])[];
  /** Families that are declared with one and the same model name; none where it is left out. */
  readonly sharedModels?: readonly (readonly Family[])[];
  /** Models behind the first of their family; none where it is left out. */
  readonly further?: Readonly<ReturnType<typeof furtherOf>>;
  /** Whether the declared value of the version header is not the one that the interface shows (5, 9). */
  readonly declaresOtherVersion?: boolean;
}

/** Two families with the same model name: their requests can't be told apart. */
export type SameModel = readonly [Family, Family];

/** The groups of each token that stands for more than one. */
function sharedOf({ tokens }: Pick<Target, 'tokens'>): readonly (readonly Group[])[] {
  const variables = new Set(
    allGroups()
      .map((group) => tokens[group]?.variable)
      .filter(Boolean),
  );
  return [...variables]
    .map((variable) => allGroups().filter((group) => tokens[group]?.variable === variable))
    .filter((those) => those.length > 1);
}

/** The families of each model name that stands for more than one. */
function sharedModelsOf({ models }: Pick<Target, 'models'>): readonly (readonly Family[])[] {
  const names = new Set(families.flatMap((family) => models[family] ?? []));
  return [...names]
    .map((name) => families.filter((family) => models[family] === name))
    .filter((those) => those.length > 1);
}

/** The names of the models of a family, the first one first. */
export const modelsOfFamily = (
  { models, furtherModels = {} }: Pick<Target, 'models' | 'furtherModels'>,
  family: Family,
): readonly string[] => [models[family] ?? [], furtherModels[family] ?? []].flat();

/** The models that families list behind their first; `families`: those that list it in any place, `firstOf`: first. */
function furtherOf({ models, furtherModels = {} }: Pick<Target, 'models' | 'furtherModels'>) {
  const listing = new Map<string, Family[]>();
  for (const family of families)
    for (const name of modelsOfFamily({ models, furtherModels }, family))
      listing.set(name, [...(listing.get(name) ?? []), family]);
  return families.flatMap((family) =>
    (furtherModels[family] ?? []).map((name) => {
      const those: readonly Family[] = listing.get(name) ?? [];
      const firstOf: readonly Family[] = those.filter((each) => models[each] === name);
      return { family, name, families: those, firstOf };
    }),
  );
}

/** What of a target a plan depends on; without a version header the shown value is taken as declared. */
export type PlannedTarget = Pick<Target, 'models' | 'furtherModels' | 'tokens'> &
  Partial<Pick<Target, 'versionHeader'>>;

export const scopeOf = (target: PlannedTarget): Scope => ({
  families: families.filter((family) => target.models[family] !== undefined),
  groups: allGroups().filter((group) => target.tokens[group] !== undefined),
  rateLimited: target.tokens['rate-limited'] !== undefined,
  shared: sharedOf(target),
  sharedModels: sharedModelsOf(target),
  ...(target.furtherModels ? { further: furtherOf(target) } : {}),
  declaresOtherVersion: (target.versionHeader?.value ?? shownVersion) !== shownVersion,
});

/** Every declared model with its key in the config, family by family. */
export const declaredModels = (target: Pick<Target, 'models' | 'furtherModels'>) =>
  families.flatMap((family) =>
    modelsOfFamily(target, family).map((name, at) => ({
      family,
      name,
      key: `models.${family}${target.furtherModels?.[family] ? `[${at}]` : ''}`,
    })),
  );
