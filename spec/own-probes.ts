import { extension, type OwnStatement } from './extension.ts';
import type { Probe, ProbeGroup } from './probes.ts';
import { type Protocol, protocols } from './vocabulary.ts';

/** Of which protocols a probe or a rule of replies is; where a path is asked, of that of its shape alone. */
export const protocolsOf = ({
  protocols: of = protocols,
}: {
  readonly protocols?: readonly Protocol[];
}): readonly Protocol[] => {
  const at = extension()?.at;
  return at === undefined ? of : of.filter((protocol) => protocol === at.shape);
};

/** Whether a statement says something of the path that is asked. */
export const isOfPath = ({ probes = [], replies = [] }: OwnStatement): boolean =>
  [...probes, ...replies].some((each) => protocolsOf(each).length > 0);

/** The probes of the statements of an extension in force; none without one. */
export function ownProbes(): readonly ProbeGroup[] {
  const probes = (extension()?.statements ?? []).flatMap(({ id, probes: own = [] }) =>
    own.map(({ protocols: of, ...probe }, at): Probe => {
      const number = own.length > 1 ? `.${at + 1}` : '';
      return {
        ...probe,
        requirement: id,
        id: `{protocol}.${id}${number}${probe.values ? '.{as}' : ''}`,
        where: { protocol: protocolsOf(of ? { protocols: of } : {}) },
      };
    }),
  );
  return probes.length === 0 ? [] : [{ each: 'protocol', probes }];
}
