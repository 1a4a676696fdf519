import { configPlaces } from '../../fixtures/target/config.ts';
import type { Target } from '../../fixtures/target/target.ts';
import { scopeOf } from '../../suites/types/scope.ts';

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
