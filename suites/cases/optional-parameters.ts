import { type Parameter, parameters } from '../../spec/openapi.ts';
import { requirement as requirementOf } from '../../spec/requirements.ts';
import type { Protocol } from '../../spec/vocabulary.ts';
import type { Template } from '../model/plan.ts';
import { hello, minimal, plain, user } from '../plan/bodies.ts';
import type { Kit } from '../plan/kit.ts';
import { validValues } from './parameter-values.ts';

/** Left out in the smallest request; where that is refused, left out of a request with all the others. */
export function optionalCase(kit: Kit, protocol: Protocol, parameter: Parameter): void {
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

/**
 * Another form of a parameter that has two: `input` as a list, in the shape that the register tries. Sent only
 * where no request with a string was answered.
 */
export const listedRequest = (kit: Kit): string =>
  kit.send('responses.listed', 'responses', {
    json: { ...plain.responses, input: user(hello) },
    venues: kit.venues('responses').slice(0, 1),
    when: [{ kind: 'unanswered', all: [...kit.cells('responses'), kit.control('responses')] }],
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
