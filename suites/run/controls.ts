import { controlPairs } from '../checks/registry.ts';
import type { Plan, PlannedRequest } from '../model/plan.ts';
import { shareFamily } from './order.ts';
import { hasWrongCredential } from './wrong-credentials.ts';

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

/**
 * The controls of requests that may be refused, best first: what their case names, and after that whatever
 * their endpoint or their model is expected to answer. Answered while the same retryable reply comes again and
 * again, one shows that the reply is a refusal.
 */
export function controlsIn(plan: Plan): ReadonlyMap<string, readonly string[]> {
  const own = plan.cases.flatMap(({ check }) => controlPairs(check));
  const discovery = plan.requests.filter(({ stage }) => stage === 'discovery');
  const controlsOf = (request: PlannedRequest): readonly string[] => {
    const { id, path, expect, stage } = request;
    if (expect === 'answer')
      return stage === 'discovery' ? inOtherGroups(request, discovery).map((other) => other.id) : [];
    const controls = own.filter(({ probes }) => probes.includes(id)).flatMap((pair) => pair.controls);
    const others = [
      ...discovery.filter((other) => other.path === path),
      ...discovery.filter((other) => shareFamily(request, other)),
      // Whatever is answered shows that refused logins have locked nobody out.
      ...(hasWrongCredential(request) ? discovery : []),
    ];
    return [...controls, ...others.map((other) => other.id)];
  };
  return new Map(
    plan.requests
      .map((request) => [request.id, [...new Set(controlsOf(request))]] as const)
      .filter(([, controls]) => controls.length > 0),
  );
}
