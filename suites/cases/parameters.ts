import { type Parameter, parameters } from '../../spec/openapi.ts';
import { requirement as requirementOf } from '../../spec/requirements.ts';
import { type Protocol, protocols } from '../../spec/vocabulary.ts';
import { plain } from '../plan/bodies.ts';
import type { Kit } from '../plan/kit.ts';
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
export function parameterCases(kit: Kit): void {
  for (const protocol of protocols) {
    for (const parameter of parameters(protocol)) {
      const controls = acceptedCase(kit, protocol, parameter);
      if (parameter.required) requiredCases(kit, protocol, parameter);
      else optionalCase(kit, protocol, parameter);
      const types = typeCases(kit, parameter);
      for (const wrong of types) wrongValueCase(kit, protocol, parameter, 'type', wrong, controls);
      wrongInStream(kit, protocol, parameter, 'type', types[0]);
      outsideCases(kit, protocol, parameter, controls);
      for (const other of notAllowedCases(kit, parameter))
        wrongValueCase(kit, protocol, parameter, 'allowed', other, controls);
    }
    const model = { name: 'model', slug: 'model' };
    const unknown = unknownModels(kit);
    for (const other of unknown) {
      wrongValueCase(kit, protocol, model, 'unknown', other, [`${protocol}.plain`]);
    }
    wrongInStream(kit, protocol, model, 'unknown', unknown[0]);
    malformedCase(kit, protocol);
  }
  roleCases(kit);
  limitCase(kit, 'messages');
  limitCase(kit, 'chat');
}

/** Valid values are taken; gives the ids of the requests that show it, the controls of what follows. */
function acceptedCase(kit: Kit, protocol: Protocol, parameter: Parameter): readonly string[] {
  const requirement = `${protocol}.param.${parameter.slug}.accepted`;
  const controls: string[] = [];
  if (requirementOf(requirement).excluded !== undefined) return [`${protocol}.plain`];
  for (const valid of validValues(kit, protocol, parameter)) {
    const id = valid.id ?? `${protocol}.${parameter.slug}.${valid.slug}`;
    controls.push(id);
    kit.add(
      {
        id: `parameters.${protocol}.${parameter.slug}.accepted.${valid.slug}`,
        title: `${protocol} takes ${parameter.name} = ${valid.words}`,
        suite: 'parameters',
        requirements: [requirement],
      },
      protocol,
      () => {
        const probe = valid.id
          ? kit.control(protocol)
          : kit.send(id, protocol, {
              json: { ...plain[protocol], [parameter.name]: valid.value },
              billed: valid.billed ?? 1,
              ...(valid.when ? { when: valid.when } : {}),
            });
        const others = othersOf(kit, protocol, parameter, valid);
        // Where the probe is the plain request, that one again would be no control.
        const after = valid.id === undefined ? { after: kit.after(protocol) } : {};
        return { kind: 'accepted', requirement, probe, controls: others, ...after };
      },
    );
  }
  return controls;
}

/** Requests that differ from the probe in this value alone. Where the plain request shows it, few do. */
function othersOf(
  kit: Kit,
  protocol: Protocol,
  { name, types }: Parameter,
  { id }: ValidValue,
): readonly string[] {
  if (id === undefined) return [kit.control(protocol)];
  if (name === 'stream') return kit.cells(protocol);
  return protocol === 'responses' && types.includes('string') && types.includes('array')
    ? [listedRequest(kit)]
    : [];
}
