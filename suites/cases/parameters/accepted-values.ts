import type { Parameter } from '../../../spec/openapi.ts';
import { requirement as requirementOf } from '../../../spec/requirements.ts';
import type { Protocol } from '../../../spec/vocabulary.ts';
import type { Check } from '../../types/checks/check.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { parameterValueId, plainId } from '../builder/request-ids.ts';
import { listedRequest } from './full-requests.ts';
import { sendParameterValue } from './parameter-value.ts';
import { showing, validValues } from './valid-values.ts';

/** Valid values are accepted; gives the ids of the requests that show it, the controls of what must be refused. */
export function acceptedCases(
  builder: CaseBuilder,
  protocol: Protocol,
  parameter: Parameter,
): readonly string[] {
  const requirement = `${protocol}.param.${parameter.slug}.accepted`;
  if (requirementOf(requirement).excluded !== undefined) return [plainId(protocol)];
  const shown = validValues(builder, protocol, parameter).flatMap((valid) => {
    const combinations = showing(builder, protocol, parameter, valid);
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
              combinations,
              probe: sendParameterValue(builder, protocol, parameter, { ...valid, combinations }),
              controls: [builder.control(protocol)],
              // Sent afterwards the control declines the stream as well.
              ...(parameter.name === 'stream' ? {} : { after: builder.after(protocol) }),
            },
    );
    return valid.inPlainRequest
      ? []
      : [...combinations, parameterValueId(protocol, parameter.slug, valid.slug)];
  });
  return [plainId(protocol), ...shown];
}

/** Requests that differ from the plain one in this value alone; there are few. */
const otherForms = (builder: CaseBuilder, protocol: Protocol, { types }: Parameter): readonly string[] =>
  protocol === 'responses' && types.includes('string') && types.includes('array')
    ? [listedRequest(builder)]
    : [];
