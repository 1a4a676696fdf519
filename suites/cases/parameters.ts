import { type Parameter, parameters } from '../../spec/openapi.ts';
import { requirement as requirementOf } from '../../spec/requirements.ts';
import { type Protocol, protocols } from '../../spec/vocabulary.ts';
import type { Template } from '../model/plan.ts';
import { type Kit, plain } from '../plan/kit.ts';
import { limitCase, roleCases } from './message-parameters.ts';
import { optionalCase } from './optional-parameters.ts';
import { notAllowedCase, rangeCases, typeCases, validValues } from './parameter-values.ts';

/** Every parameter of every endpoint, generated from the OpenAPI document (4.1 to 4.4, 8). */
export function parameterCases(kit: Kit): void {
  for (const protocol of protocols) {
    for (const parameter of parameters(protocol)) {
      const controls = acceptedCase(kit, protocol, parameter);
      if (parameter.required) requiredCase(kit, protocol, parameter);
      else optionalCase(kit, protocol, parameter);
      for (const wrong of typeCases(kit, parameter))
        refusedCase(kit, protocol, parameter, 'type', wrong, controls);
      for (const outside of rangeCases(parameter))
        refusedCase(kit, protocol, parameter, 'range', outside, controls);
      for (const other of notAllowedCase(kit, parameter))
        refusedCase(kit, protocol, parameter, 'allowed', other, controls);
    }
    refusedCase(
      kit,
      protocol,
      { name: 'model', slug: 'model' },
      'unknown',
      { slug: 'unknown', words: 'a name that is not in the catalogue', value: kit.data.unknownModel },
      [`${protocol}.plain`],
    );
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
        // Where the plain request shows the value, only for a declined stream is there one without it.
        const others =
          valid.id === undefined
            ? [kit.control(protocol)]
            : parameter.name === 'stream'
              ? kit.cells(protocol)
              : [];
        return { kind: 'accepted', requirement, probe, controls: others };
      },
    );
  }
  return controls;
}

function requiredCase(kit: Kit, protocol: Protocol, parameter: Parameter): void {
  const requirement = `${protocol}.param.${parameter.slug}.required`;
  const { [parameter.name]: _, ...json } = plain[protocol];
  kit.add(
    {
      id: `parameters.${protocol}.${parameter.slug}.required`,
      title: `${protocol} refuses a request without ${parameter.name}`,
      suite: 'parameters',
      requirements: [requirement],
    },
    protocol,
    () => ({
      kind: 'refused',
      requirement,
      probe: kit.send(`${protocol}.${parameter.slug}.missing`, protocol, { json, expect: 'refusal' }),
      controls: [kit.control(protocol)],
      after: kit.after(protocol),
      expected: `no output: ${parameter.name} is required`,
    }),
  );
}

function refusedCase(
  kit: Kit,
  protocol: Protocol,
  parameter: Pick<Parameter, 'name' | 'slug'>,
  aspect: 'type' | 'range' | 'allowed' | 'unknown',
  wrong: { readonly slug: string; readonly words: string; readonly value: Template },
  controls: readonly string[],
): void {
  const requirement = `${protocol}.param.${parameter.slug}.${aspect}`;
  kit.add(
    {
      id: `parameters.${protocol}.${parameter.slug}.${aspect}.${wrong.slug}`,
      title: `${protocol} refuses ${parameter.name} = ${wrong.words}`,
      suite: 'parameters',
      requirements: [requirement],
    },
    protocol,
    () => ({
      kind: 'refused',
      requirement,
      probe: kit.send(`${protocol}.${parameter.slug}.${aspect}.${wrong.slug}`, protocol, {
        json: { ...plain[protocol], [parameter.name]: wrong.value },
        stream: false,
        expect: 'refusal',
      }),
      controls,
      after: kit.after(protocol),
      expected: `no output: ${parameter.name} is ${wrong.words}`,
    }),
  );
}

function malformedCase(kit: Kit, protocol: Protocol): void {
  const requirement = `${protocol}.body.json`;
  kit.add(
    {
      id: `parameters.${protocol}.body.json`,
      title: `${protocol} refuses a body that is cut off in the middle of its JSON`,
      suite: 'parameters',
      requirements: [requirement],
    },
    protocol,
    () => ({
      kind: 'refused',
      requirement,
      probe: kit.send(`${protocol}.body.malformed`, protocol, { cut: true, expect: 'refusal' }),
      controls: [kit.control(protocol)],
      after: kit.after(protocol),
      expected: 'no output: the body is not JSON',
    }),
  );
}
