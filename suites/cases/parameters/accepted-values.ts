import type { Parameter } from '../../../spec/openapi.ts';
import { requirement as requirementOf } from '../../../spec/requirements.ts';
import type { Protocol } from '../../../spec/vocabulary.ts';
import type { Check } from '../../checks/registry.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { parameterValueId, plainId } from '../builder/request-ids.ts';
import { listedRequest } from './full-requests.ts';
import { sendParameterValue } from './parameter-value.ts';
import { validValues } from './valid-values.ts';

/** Valid values are accepted; gives the ids of the requests that show it, the controls of what must be refused. */
export function acceptedCases(
  builder: CaseBuilder,
  protocol: Protocol,
  parameter: Parameter,
): readonly string[] {
  const requirement = `${protocol}.param.${parameter.slug}.accepted`;
  if (requirementOf(requirement).excluded !== undefined) return [plainId(protocol)];
  return validValues(builder, protocol, parameter).map((valid) => {
    builder.add(
      {
        id: `parameters.${protocol}.${parameter.slug}.accepted.${valid.slug}`,
        title: `${protocol} accepts ${parameter.name} = ${valid.description}`,
        requirements: [requirement],
      },
      protocol,
      (): Check =>
        valid.inPlainRequest
          ? // The plain request again would be no control of itself.
            {
              kind: 'accepted',
              requirement,
              probe: builder.control(protocol),
              controls: otherForms(builder, protocol, parameter),
            }
          : {
              kind: 'accepted',
              requirement,
              probe: sendParameterValue(builder, protocol, parameter, valid),
              controls: [builder.control(protocol)],
              after: builder.after(protocol),
            },
    );
    return valid.inPlainRequest ? plainId(protocol) : parameterValueId(protocol, parameter.slug, valid.slug);
  });
}

/** Requests that differ from the plain one in this value alone; there are few. */
function otherForms(builder: CaseBuilder, protocol: Protocol, { name, types }: Parameter): readonly string[] {
  if (name === 'stream') return builder.cells(protocol);
  return protocol === 'responses' && types.includes('string') && types.includes('array')
    ? [listedRequest(builder)]
    : [];
}
