import { type Parameter, parameters } from '../../spec/openapi.ts';
import { requirement as requirementOf } from '../../spec/requirements.ts';
import { type Protocol, protocols } from '../../spec/vocabulary.ts';
import { plain } from './builder/bodies.ts';
import type { CaseBuilder } from './builder/case-builder.ts';
import { limitCase, roleCases } from './message-parameters.ts';
import { listedRequest, optionalCase } from './optional-parameters.ts';
import {
  notAllowedCases,
  typeCases,
  unknownModels,
  type ValidValue,
  validValues,
} from './parameter-values.ts';
import {
  malformedCase,
  outsideCases,
  requiredCases,
  wrongInStream,
  wrongValueCase,
} from './wrong-parameters.ts';

/** Every parameter of every endpoint, generated from the OpenAPI document (4.1 to 4.4, 8). */
export function parameterCases(builder: CaseBuilder): void {
  for (const protocol of protocols) {
    for (const parameter of parameters(protocol)) {
      const controls = acceptedCase(builder, protocol, parameter);
      if (parameter.required) requiredCases(builder, protocol, parameter);
      else optionalCase(builder, protocol, parameter);
      const types = typeCases(builder, parameter);
      for (const wrong of types) wrongValueCase(builder, protocol, parameter, 'type', wrong, controls);
      wrongInStream(builder, protocol, parameter, 'type', types[0]);
      outsideCases(builder, protocol, parameter, controls);
      for (const other of notAllowedCases(builder, parameter))
        wrongValueCase(builder, protocol, parameter, 'allowed', other, controls);
    }
    const model = { name: 'model', slug: 'model' };
    const unknown = unknownModels(builder);
    for (const other of unknown) {
      wrongValueCase(builder, protocol, model, 'unknown', other, [`${protocol}.plain`]);
    }
    wrongInStream(builder, protocol, model, 'unknown', unknown[0]);
    malformedCase(builder, protocol);
  }
  roleCases(builder);
  limitCase(builder, 'messages');
  limitCase(builder, 'chat');
}

/** Valid values are taken; gives the ids of the requests that show it, the controls of what follows. */
function acceptedCase(builder: CaseBuilder, protocol: Protocol, parameter: Parameter): readonly string[] {
  const requirement = `${protocol}.param.${parameter.slug}.accepted`;
  const controls: string[] = [];
  if (requirementOf(requirement).excluded !== undefined) return [`${protocol}.plain`];
  for (const valid of validValues(builder, protocol, parameter)) {
    const id = valid.id ?? `${protocol}.${parameter.slug}.${valid.slug}`;
    controls.push(id);
    builder.add(
      {
        id: `parameters.${protocol}.${parameter.slug}.accepted.${valid.slug}`,
        title: `${protocol} takes ${parameter.name} = ${valid.words}`,
        suite: 'parameters',
        requirements: [requirement],
      },
      protocol,
      () => {
        const probe = valid.id
          ? builder.control(protocol)
          : builder.send(id, protocol, {
              json: { ...plain[protocol], [parameter.name]: valid.value },
              billed: valid.billed ?? 1,
              ...(valid.when ? { when: valid.when } : {}),
            });
        const others = othersOf(builder, protocol, parameter, valid);
        // Where the probe is the plain request, that one again would be no control.
        const after = valid.id === undefined ? { after: builder.after(protocol) } : {};
        return { kind: 'accepted', requirement, probe, controls: others, ...after };
      },
    );
  }
  return controls;
}

/** Requests that differ from the probe in this value alone. Where the plain request shows it, few do. */
function othersOf(
  builder: CaseBuilder,
  protocol: Protocol,
  { name, types }: Parameter,
  { id }: ValidValue,
): readonly string[] {
  if (id === undefined) return [builder.control(protocol)];
  if (name === 'stream') return builder.cells(protocol);
  return protocol === 'responses' && types.includes('string') && types.includes('array')
    ? [listedRequest(builder)]
    : [];
}
