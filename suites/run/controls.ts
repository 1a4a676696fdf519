import { controlPairs } from '../checks/registry.ts';
import type { Plan, PlannedRequest, Caller } from '../model/plan.ts';

/** The same model on the same path with the tokens of other groups: one that is served is enough (2.1, 4). */
const inOtherGroups = (
  request: PlannedRequest,
  discovery: readonly PlannedRequest[],
): readonly PlannedRequest[] =>
  discovery.filter(
    (other) =>
      other.path === request.path &&
      other.callers.length === 1 &&
      request.callers.length === 1 &&
      other.callers[0]?.family === request.callers[0]?.family &&
      other.callers[0]?.group !== request.callers[0]?.group,
  );

const isModelOf =
  ({ family }: Caller) =>
  (home: Caller): boolean =>
    home.family === family;

/**
 * What to send beside a request that may be refused, to see that the target is well, best first: its own
 * controls, and after them whatever its endpoint or its model is expected to answer. One whose credential is
 * wrong has none: a gateway may lock out who shows a wrong one, and what it says then is no answer to that
 * credential.
 */
export function controlsIn(plan: Plan): ReadonlyMap<string, readonly string[]> {
  const own = plan.cases.flatMap(({ check }) => controlPairs(check));
  const discovery = plan.requests.filter(({ stage }) => stage === 'discovery');
  const controlsOf = (request: PlannedRequest): readonly string[] => {
    const { id, path, expect, stage, credential } = request;
    if (credential.form !== 'right' && credential.form !== 'token') return [];
    if (expect === 'answer')
      return stage === 'discovery' ? inOtherGroups(request, discovery).map((other) => other.id) : [];
    const controls = own.filter(({ probes }) => probes.includes(id)).flatMap((pair) => pair.controls);
    const others = [
      ...discovery.filter((other) => other.path === path),
      ...discovery.filter((other) => other.callers.some((home) => request.callers.some(isModelOf(home)))),
    ];
    return [...controls, ...others.map((other) => other.id)];
  };
  return new Map(
    plan.requests
      .map((request) => [request.id, [...new Set(controlsOf(request))]] as const)
      .filter(([, controls]) => controls.length > 0),
  );
}
