import { type Parameter, parameters } from '../../spec/openapi.ts';
import { requirement as requirementOf } from '../../spec/requirements.ts';
import type { Protocol } from '../../spec/vocabulary.ts';
import type { Template } from '../model/plan.ts';
import { hello, minimal, plain, user } from './builder/bodies.ts';
import type { CaseBuilder } from './builder/case-builder.ts';
import { validValues } from './parameter-values.ts';

/** Left out in the smallest request; where that is refused, left out of a request with all the others. */
export function optionalCase(builder: CaseBuilder, protocol: Protocol, parameter: Parameter): void {
  const requirement = `${protocol}.param.${parameter.slug}.optional`;
  if (requirementOf(requirement).excluded !== undefined) return;
  builder.add(
    {
      id: `parameters.${protocol}.${parameter.slug}.optional`,
      title: `${protocol} does without ${parameter.name}`,
      suite: 'parameters',
      requirements: [requirement],
    },
    protocol,
    () => {
      const full = fullRequest(builder, protocol);
      const { [parameter.name]: _, ...json } = fullBody(builder, protocol);
      const without = builder.send(`${protocol}.full.without.${parameter.slug}`, protocol, {
        json,
        callers: builder.callers(protocol).slice(0, 1),
        when: [{ kind: 'answered', any: [full] }],
        billed: 0,
      });
      const cells = builder.cells(protocol);
      const plainly = builder.control(protocol);
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
export const fullRequest = (builder: CaseBuilder, protocol: Protocol): string =>
  builder.send(`${protocol}.full`, protocol, {
    json: fullBody(builder, protocol),
    callers: builder.callers(protocol).slice(0, 1),
    when: [{ kind: 'unanswered', all: [...builder.cells(protocol), builder.control(protocol)] }],
    billed: 0,
  });

/**
 * Another form of a parameter that has two: `input` as a list, in the shape that the register tries. Sent only
 * where no request with a string was answered.
 */
export const listedRequest = (builder: CaseBuilder): string =>
  builder.send('responses.listed', 'responses', {
    json: { ...plain.responses, input: user(hello) },
    callers: builder.callers('responses').slice(0, 1),
    when: [{ kind: 'unanswered', all: [...builder.cells('responses'), builder.control('responses')] }],
    billed: 0,
  });

/** An id to chain from is left out: it needs an answer first. */
function fullBody(builder: CaseBuilder, protocol: Protocol): { readonly [name: string]: Template } {
  const optional = parameters(protocol).filter(
    (parameter) => !parameter.required && parameter.name !== 'previous_response_id',
  );
  const values = optional.map((parameter) => [
    parameter.name,
    parameter.name === 'stream' ? false : (validValues(builder, protocol, parameter)[0]?.value ?? null),
  ]);
  return { ...minimal[protocol], ...Object.fromEntries(values) };
}
