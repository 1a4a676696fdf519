import { configPlaces } from '../../fixtures/target/config.ts';
import type { Target } from '../../fixtures/target/target.ts';
import { declaredModels, scopeOf } from '../../suites/types/scope.ts';
import type { Plan } from '../../suites/types/plan.ts';

/** Which lines of a config declare one token for several groups, and what that leaves untested; undefined where none do. */
export function sameTokensText(file: string, target: Target): string | undefined {
  const { shared = [] } = scopeOf(target);
  if (shared.length === 0) return undefined;
  const placeOf = configPlaces(file);
  const named = shared.map((those) =>
    those.map((group) => `${placeOf(`tokens.${group}`)} (tokens.${group})`).join(', '),
  );
  return `warning: ${named.join('; ')}: the same token; a token belongs to one group, and what must be refused with one of them and served with the other is untested`;
}

/** What is left untested because families have the same model name: ids of requirements and those families. */
function untestedIn({ cases }: Plan) {
  const isOpen = ({ check }: Plan['cases'][number]): boolean => check.kind === 'same-model';
  const judged = new Set(
    cases
      .filter((entry) => !isOpen(entry) && entry.check.kind !== 'undeclared')
      .flatMap(({ requirements }) => requirements),
  );
  const open = cases.filter(isOpen).flatMap(({ requirements }) => requirements);
  return {
    requirements: [...new Set(open)].filter((id) => !judged.has(id)),
    families: new Set(cases.flatMap(({ check }) => (check.kind === 'same-model' ? check.families : []))),
  };
}

/** Which lines of a config name the same model, and what that leaves untested; undefined where none do. */
export function sameModelsText(file: string, target: Target, plan: Plan): string | undefined {
  const { requirements, families } = untestedIn(plan);
  if (families.size === 0) return undefined;
  const placeOf = configPlaces(file);
  const declared = declaredModels(target);
  const named = [...new Set(declared.map(({ name }) => name))]
    .map((name) => declared.filter((model) => model.name === name && families.has(model.family)))
    .filter(({ length }) => length > 1)
    .map((those) => those.map(({ key }) => `${placeOf(key)} (${key})`).join(', '));
  const left = requirements.length > 0 ? requirements.join(', ') : 'the cells in which they differ';
  return `warning: ${named.join('; ')}: the same model; what one family must be served and another must be refused is untested: ${left}`;
}
