import type { Check } from '../model/case.ts';
import type { Plan } from '../model/plan.ts';

/** The requests of a check that a refusal rests on, and what of its exchanges would be such a refusal. */
function paired(check: Check): readonly { probes: readonly string[]; controls: readonly string[] }[] {
  switch (check.kind) {
    case 'refused':
      return [{ probes: [check.probe], controls: check.controls }];
    case 'conflict':
      return [{ probes: check.probes, controls: check.controls }];
    case 'limited':
      return check.endpoints.map(({ probes, control }) => ({ probes, controls: [control] }));
    default:
      return [];
  }
}

/**
 * What to send beside a request that may be refused, to see that the target is well, best first: its own
 * controls, and after them whatever its endpoint is expected to answer. One whose credential is wrong has
 * none: a gateway may lock out who shows a wrong one, and what it says then is no answer to that credential.
 */
export function controlsIn(plan: Plan): ReadonlyMap<string, readonly string[]> {
  const own = plan.cases.flatMap(({ check }) => paired(check));
  const discovery = plan.requests.filter(({ stage }) => stage === 'discovery');
  return new Map(
    plan.requests
      .filter(
        ({ expect, credential: { form } }) => expect !== 'answer' && (form === 'right' || form === 'token'),
      )
      .map(({ id, path }) => {
        const controls = own.filter(({ probes }) => probes.includes(id)).flatMap((pair) => pair.controls);
        const others = discovery.filter((other) => other.path === path).map((other) => other.id);
        return [id, [...new Set([...controls, ...others])]];
      }),
  );
}
