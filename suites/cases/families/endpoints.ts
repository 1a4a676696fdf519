import { protocolFacts } from '../../../spec/protocols.ts';
import { isTextProtocol, type Protocol } from '../../../spec/vocabulary.ts';
import type { Check } from '../../types/checks/check.ts';
import { cellId, inventedPathId, offeredId } from '../../types/request-ids.ts';
import { noCaller } from '../builder/callers.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { isSmoke } from '../builder/request-builder.ts';
import { contradictedCallers } from '../builder/same-model.ts';
import { largerRequests } from './larger-requests.ts';

/** Stated without naming the group: one that serves is enough. */
export function someGroupCases(builder: CaseBuilder, protocol: Protocol): void {
  const { families, group } = protocolFacts[protocol].callers;
  if (group !== 'any') return;
  const [family] = families;
  const requirement = `family.${family}.${protocol}`;
  const id = `families.${family}.${protocol}.some-group`;
  const title = `${family} model on ${protocol} is served for at least one declared group`;
  const contradicted = contradictedCallers(builder.scope, protocol, builder.callers(protocol));
  const needs = contradicted ? { sameModel: contradicted.families } : protocol;
  builder.addOne({ id, title, requirement }, needs, () => ({
    kind: 'served',
    probes: builder.cells(protocol),
    fallback: largerRequests(builder, protocol),
  }));
  if (!isTextProtocol(protocol)) return;
  const streamed = { id: `${id}.stream`, title: `${title}, streamed`, requirement };
  builder.addOne(streamed, needs, () => ({
    kind: 'served',
    probes: builder.callers(protocol).map((caller) => cellId(caller, protocol, true)),
    prerequisites: [builder.streamed(protocol)],
  }));
}

/** Where nothing can be asked of an endpoint, whether it is there: a token and no model is enough to see that. */
function undeclaredEndpoint(builder: CaseBuilder, protocol: Protocol): Check {
  const reason = noCaller(protocol);
  const { depth, scope, data } = builder;
  const [[family], [group]] = [scope.families, scope.groups];
  if (family === undefined || group === undefined || isSmoke(depth)) return { kind: 'undeclared', reason };
  const asked = { json: {}, callers: [{ family, group }], expect: 'refusal' } as const;
  const path = `/v1/${data.unknownParameter}`;
  const probe = builder.send(offeredId(protocol), protocol, asked);
  const invented = builder.send(inventedPathId(protocol), protocol, { ...asked, path });
  return { kind: 'undeclared', reason, offered: { probe, invented } };
}

/** The path of a protocol answers, and still does after the requests that must be refused. */
export function endpointCases(builder: CaseBuilder, protocol: Protocol): void {
  const requirement = `${protocol}.endpoint`;
  const id = `families.${protocol}.endpoint`;
  const title = `${protocol} answers on its path`;
  const served = (): Check => ({
    kind: 'served',
    requirement,
    probes: builder.cells(protocol),
    fallback: largerRequests(builder, protocol),
  });
  const isDeclared = builder.callers(protocol).length > 0;
  const entry = { id, title, requirements: [requirement] } as const;
  builder.add(entry, isDeclared ? protocol : null, () =>
    isDeclared ? served() : undeclaredEndpoint(builder, protocol),
  );
  builder.addOne(
    {
      id: `${id}.after`,
      title: `${protocol} still answers after the requests that it must refuse`,
      requirement,
    },
    protocol,
    () => ({
      kind: 'still-served',
      before: builder.controls(protocol),
      after: builder.after(protocol),
    }),
  );
}
