import { modelPlace } from '../fixtures/target/config.ts';
import type { Target } from '../fixtures/target/target.ts';
import type { Plan } from '../suites/model/plan.ts';
import { scopeOf } from '../suites/model/scope.ts';

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
  const named = (scopeOf(target).sharedModels ?? [])
    .map((those) => those.filter((family) => families.has(family)))
    .filter(({ length }) => length > 0)
    .map((those) => {
      const places = those.map((family) => ({ family, line: modelPlace(file, family).line }));
      return places.map(({ family, line }) => `${file}:${line} (models.${family})`).join(', ');
    });
  const left = requirements.length > 0 ? requirements.join(', ') : 'the cells in which they differ';
  return `warning: ${named.join('; ')}: the same model; what one family must be served and another must be refused is untested: ${left}`;
}
