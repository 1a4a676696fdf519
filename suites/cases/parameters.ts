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
        wrongValueCase(kit, protocol, parameter, 'type', wrong, controls);
      for (const outside of rangeCases(parameter))
        wrongValueCase(kit, protocol, parameter, 'range', outside, controls);
      for (const other of notAllowedCase(kit, parameter))
        wrongValueCase(kit, protocol, parameter, 'allowed', other, controls);
    }
    wrongValueCase(
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

/** A request that is wrong in one thing. */
interface Wrong {
  /** Behind `parameters.<protocol>.`. */
  readonly id: string;
  readonly title: string;
  readonly requirement: string;
  readonly probe: string;
  readonly wish: Parameters<Kit['send']>[2];
  /** The control of the protocol, where left out. */
  readonly controls?: readonly string[];
  readonly because: string;
}

function refusedCase(kit: Kit, protocol: Protocol, wrong: Wrong): void {
  const { id, title, requirement, probe, wish, controls, because } = wrong;
  kit.add(
    {
      id: `parameters.${protocol}.${id}`,
      title: `${protocol} refuses ${title}`,
      suite: 'parameters',
      requirements: [requirement],
    },
    protocol,
    () => ({
      kind: 'refused',
      requirement,
      probe: kit.send(probe, protocol, { ...wish, expect: 'refusal' }),
      controls: controls ?? [kit.control(protocol)],
      after: kit.after(protocol),
      expected: `no output: ${because}`,
    }),
  );
}

function requiredCase(kit: Kit, protocol: Protocol, { name, slug }: Parameter): void {
  const { [name]: _, ...json } = plain[protocol];
  refusedCase(kit, protocol, {
    id: `${slug}.required`,
    title: `a request without ${name}`,
    requirement: `${protocol}.param.${slug}.required`,
    probe: `${protocol}.${slug}.missing`,
    wish: { json },
    because: `${name} is required`,
  });
}

function wrongValueCase(
  kit: Kit,
  protocol: Protocol,
  { name, slug }: Pick<Parameter, 'name' | 'slug'>,
  aspect: 'type' | 'range' | 'allowed' | 'unknown',
  wrong: { readonly slug: string; readonly words: string; readonly value: Template },
  controls: readonly string[],
): void {
  refusedCase(kit, protocol, {
    id: `${slug}.${aspect}.${wrong.slug}`,
    title: `${name} = ${wrong.words}`,
    requirement: `${protocol}.param.${slug}.${aspect}`,
    probe: `${protocol}.${slug}.${aspect}.${wrong.slug}`,
    wish: { json: { ...plain[protocol], [name]: wrong.value }, stream: false },
    controls,
    because: `${name} is ${wrong.words}`,
  });
}

function malformedCase(kit: Kit, protocol: Protocol): void {
  refusedCase(kit, protocol, {
    id: 'body.json',
    title: 'a body that is cut off in the middle of its JSON',
    requirement: `${protocol}.body.json`,
    probe: `${protocol}.body.malformed`,
    wish: { cut: true },
    because: 'the body is not JSON',
  });
}
