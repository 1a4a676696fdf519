import type { Parameter } from '../../../spec/openapi.ts';
import { requirement as requirementOf } from '../../../spec/requirements.ts';
import type { Protocol } from '../../../spec/vocabulary.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { fullWithoutId } from '../builder/request-ids.ts';
import { fullBody, fullRequest } from './full-requests.ts';

/** Left out in the smallest request; where that is refused, left out of a request with all the others. */
export function optionalCase(builder: CaseBuilder, protocol: Protocol, parameter: Parameter): void {
  const requirement = `${protocol}.param.${parameter.slug}.optional`;
  if (requirementOf(requirement).excluded !== undefined) return;
  builder.add(
    {
      id: `parameters.${protocol}.${parameter.slug}.optional`,
      title: `${protocol} accepts a request without ${parameter.name}`,
      requirements: [requirement],
    },
    protocol,
    () => {
      const full = fullRequest(builder, protocol);
      const pair = { without: fullWithout(builder, protocol, parameter, full), full };
      const cells = builder.cells(protocol);
      const control = builder.control(protocol);
      // The plain request is a smallest one, too, but for the stream that it declines.
      return parameter.name === 'stream'
        ? {
            kind: 'optional',
            requirement,
            smallest: cells,
            pairs: [...cells.slice(0, 1).map((without) => ({ without, full: control })), pair],
          }
        : { kind: 'optional', requirement, smallest: [...cells, control], pairs: [pair] };
    },
  );
}

function fullWithout(builder: CaseBuilder, protocol: Protocol, parameter: Parameter, full: string): string {
  const { [parameter.name]: _, ...json } = fullBody(builder, protocol);
  return builder.send(fullWithoutId(protocol, parameter.slug), protocol, {
    json,
    callers: builder.callers(protocol).slice(0, 1),
    when: [{ kind: 'answered', any: [full] }],
    billed: 0,
  });
}
