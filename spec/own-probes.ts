import { extension } from './extension.ts';
import type { Probe, ProbeGroup } from './probes.ts';

/** The probes of the statements of an extension in force; none without one. */
export function ownProbes(): readonly ProbeGroup[] {
  const probes = (extension()?.statements ?? []).flatMap(({ id, probes: own = [] }) =>
    own.map(({ protocols, ...probe }, at): Probe => {
      const number = own.length > 1 ? `.${at + 1}` : '';
      return {
        ...probe,
        requirement: id,
        id: `{protocol}.${id}${number}${probe.values ? '.{as}' : ''}`,
        ...(protocols ? { where: { protocol: protocols } } : {}),
      };
    }),
  );
  return probes.length === 0 ? [] : [{ each: 'protocol', probes }];
}
