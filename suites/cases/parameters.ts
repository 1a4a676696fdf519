import { type Parameter, parameters } from '../../spec/openapi.ts';
import { requirement as requirementOf } from '../../spec/requirements.ts';
import { type Protocol, protocols, type TextProtocol } from '../../spec/vocabulary.ts';
import type { Template } from '../model/plan.ts';
import { hello, type Kit, minimal, plain, turn } from '../plan/kit.ts';
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

/** Left out in the smallest request; where that is refused, left out of a request with all the others. */
function optionalCase(kit: Kit, protocol: Protocol, parameter: Parameter): void {
  const requirement = `${protocol}.param.${parameter.slug}.optional`;
  if (requirementOf(requirement).excluded !== undefined) return;
  kit.add(
    {
      id: `parameters.${protocol}.${parameter.slug}.optional`,
      title: `${protocol} does without ${parameter.name}`,
      suite: 'parameters',
      requirements: [requirement],
    },
    protocol,
    () => {
      const full = fullRequest(kit, protocol);
      const { [parameter.name]: _, ...json } = fullBody(kit, protocol);
      const without = kit.send(`${protocol}.full.without.${parameter.slug}`, protocol, {
        json,
        venues: kit.venues(protocol).slice(0, 1),
        when: [{ kind: 'answered', any: [full] }],
        billed: 0,
      });
      const cells = kit.cells(protocol);
      const plainly = kit.control(protocol);
      // The plain request is a smallest one, too, but for the stream that it declines.
      return parameter.name === 'stream'
        ? {
            kind: 'optional',
            requirement,
            smallest: cells,
            pairs: [
              { without: cells[0] ?? '', full: plainly },
              { without, full },
            ],
          }
        : { kind: 'optional', requirement, smallest: [...cells, plainly], pairs: [{ without, full }] };
    },
  );
}

/** A request with every optional parameter; sent only where no smaller request was answered. */
export const fullRequest = (kit: Kit, protocol: Protocol): string =>
  kit.send(`${protocol}.full`, protocol, {
    json: fullBody(kit, protocol),
    venues: kit.venues(protocol).slice(0, 1),
    when: [{ kind: 'unanswered', all: [...kit.cells(protocol), kit.control(protocol)] }],
    billed: 0,
  });

/** An id to chain from is left out: it needs an answer first. */
function fullBody(kit: Kit, protocol: Protocol): { readonly [name: string]: Template } {
  const optional = parameters(protocol).filter(
    (parameter) => !parameter.required && parameter.name !== 'previous_response_id',
  );
  const values = optional.map((parameter) => [
    parameter.name,
    parameter.name === 'stream' ? false : (validValues(kit, protocol, parameter)[0]?.value ?? null),
  ]);
  return { ...minimal[protocol], ...Object.fromEntries(values) };
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

/** Two limits: a model that can't stop after one token still may after sixteen. */
const limits = [1, 16] as const;

function limitCase(kit: Kit, protocol: TextProtocol): void {
  const requirement = `${protocol}.param.max-tokens.limit`;
  kit.add(
    {
      id: `parameters.${protocol}.max-tokens.limit`,
      title: `${protocol} keeps the output within max_tokens`,
      suite: 'parameters',
      requirements: [requirement],
    },
    protocol,
    () => ({
      kind: 'token-limit',
      requirement,
      protocol,
      probes: limits.map((limit) => ({ exchange: kit.limited(protocol, limit), limit })),
      control: kit.long(protocol),
    }),
  );
}

/** The roles that the document lists for chat (4.3). */
function roleCases(kit: Kit): void {
  const turns = {
    system: [turn('system', 'Be brief.'), turn('user', hello)],
    assistant: [turn('user', hello), turn('assistant', 'hello'), turn('user', hello)],
  };
  const requirement = 'chat.param.messages.accepted';
  for (const [role, messages] of Object.entries(turns)) {
    kit.add(
      {
        id: `parameters.chat.messages.accepted.${role}`,
        title: `chat takes a message of role ${role}`,
        suite: 'parameters',
        requirements: [requirement],
      },
      'chat',
      () => ({
        kind: 'accepted',
        requirement,
        probe: kit.send(`chat.messages.${role}`, 'chat', { json: { ...plain.chat, messages } }),
        controls: [kit.control('chat')],
      }),
    );
  }
}
