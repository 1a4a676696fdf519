import { families, groups } from '../../spec/vocabulary.ts';
import type { Check } from '../types/checks/check.ts';
import { isMutated } from '../plan/planned.fixture.ts';
import type { Case } from '../types/case.ts';
import type { PlannedRequest } from '../types/plan.ts';
import { fullDepth } from '../types/profile.ts';
import type { Scope } from '../types/scope.ts';
import { areas } from './all-areas.ts';
import { createCaseBuilder } from './builder/case-builder.ts';

/** A declaration with every model and token. */
export const everythingDeclared: Scope = { families, groups, rateLimited: true };

export interface Built {
  readonly cases: readonly Case[];
  readonly requests: readonly PlannedRequest[];
  /** The check of a case. Throws where there is none of this kind. */
  check<K extends Check['kind']>(id: string, kind: K): Extract<Check, { kind: K }>;
  /** A planned request. Throws where there is none. */
  request(id: string): PlannedRequest;
  /** The body of a planned request. */
  body(id: string): unknown;
}

const known = new Map<string, Built>();

/** The cases and requests of every area, built once for all tests. */
export function built(scope: Scope = everythingDeclared, seed = 1, depth = fullDepth): Built {
  const key = JSON.stringify([scope, seed, depth]);
  const made = known.get(key) ?? builtAnew(scope, seed, depth);
  if (!isMutated) known.set(key, made);
  return made;
}

/** The same, built once more. */
export function builtAnew(scope: Scope = everythingDeclared, seed = 1, depth = fullDepth): Built {
  const builder = createCaseBuilder(scope, seed, depth);
  for (const area of areas) area(builder);
  const cases = new Map(builder.cases.map((entry) => [entry.id, entry]));
  const request = (id: string): PlannedRequest => {
    const found = builder.requests.get(id);
    if (found === undefined) throw new Error(`no request is called ${id}`);
    return found;
  };
  const isKind = <K extends Check['kind']>(check: Check, kind: K): check is Extract<Check, { kind: K }> =>
    check.kind === kind;
  return {
    cases: builder.cases,
    requests: [...builder.requests.values()],
    request,
    body: (id) => request(id).body?.json,
    check(id, kind) {
      const check = cases.get(id)?.check;
      if (check === undefined) throw new Error(`no case is called ${id}`);
      if (!isKind(check, kind)) throw new Error(`${id} is ${check.kind}`);
      return check;
    },
  };
}
