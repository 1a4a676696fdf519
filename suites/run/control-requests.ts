import { groupBy } from '../../spec/group-by.ts';
import { controlPairs } from '../checks/registry.ts';
import { modelKeyOf, type Plan, type PlannedRequest } from '../types/plan.ts';
import { credentialOf } from '../reading/request-facts.ts';

const shareFamily = (one: PlannedRequest, other: PlannedRequest): boolean =>
  one.callers.some(({ family }) => other.callers.some((caller) => caller.family === family));

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

/** Of these requests those that are asked of the same model as another, or of the first ones where that is asked of one. */
function byModel(
  requests: readonly PlannedRequest[],
): (request: PlannedRequest) => readonly PlannedRequest[] {
  const known = groupBy(requests, modelKeyOf);
  return (request) => known.get(modelKeyOf(request)) ?? [];
}

/** The controls of what may be refused, best first: of its case, then of its endpoint or model. One that is answered shows a refusal. */
export function controlsIn(plan: Plan): ReadonlyMap<string, readonly string[]> {
  const own = new Map<string, string[]>();
  for (const { check } of plan.cases)
    for (const { probes, controls } of controlPairs(check))
      for (const probe of new Set(probes)) own.set(probe, [...(own.get(probe) ?? []), ...controls]);
  const discoveries = byModel(plan.requests.filter(({ stage }) => stage === 'discovery'));
  const controlsOf = (request: PlannedRequest): readonly string[] => {
    const { id, path, expect, stage, credential } = request;
    const discovery = discoveries(request);
    if (expect === 'answer')
      return stage === 'discovery' ? inOtherGroups(request, discovery).map((other) => other.id) : [];
    const controls = own.get(id) ?? [];
    const others = [
      ...discovery.filter((other) => other.path === path),
      ...discovery.filter((other) => shareFamily(request, other)),
      // Whatever is answered shows that refused logins have locked nobody out.
      ...(stage !== 'declared' && credentialOf(credential) === 'wrong' ? discovery : []),
    ];
    return [...controls, ...others.map((other) => other.id)];
  };
  return new Map(
    plan.requests
      .map((request) => [request.id, [...new Set(controlsOf(request))]] as const)
      .filter(([, controls]) => controls.length > 0),
  );
}
