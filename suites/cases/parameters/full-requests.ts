import { parameters } from '../../../spec/openapi.ts';
import type { Protocol } from '../../../spec/vocabulary.ts';
import { type Body, hello, minimal, plain, user } from '../builder/bodies.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { fullId, listedInputId } from '../builder/request-ids.ts';
import { validValues } from './valid-values.ts';

/** Sent as the first caller, and only where no smaller request was answered. */
const whereSmallestFails = (builder: CaseBuilder, protocol: Protocol) =>
  ({
    callers: builder.callers(protocol).slice(0, 1),
    when: [{ kind: 'unanswered', all: [...builder.cells(protocol), builder.control(protocol)] }],
    billed: 0,
  }) as const;

/** A request with every optional parameter. */
export const fullRequest = (builder: CaseBuilder, protocol: Protocol): string =>
  builder.send(fullId(protocol), protocol, {
    json: fullBody(builder, protocol),
    ...whereSmallestFails(builder, protocol),
  });

/** Another form of a parameter that has two: `input` as a list, in the shape that the register tries. */
export const listedRequest = (builder: CaseBuilder): string =>
  builder.send(listedInputId, 'responses', {
    json: { ...plain.responses, input: user(hello) },
    ...whereSmallestFails(builder, 'responses'),
  });

/** Every parameter but an id to chain from, which needs an answer first. */
export function fullBody(builder: CaseBuilder, protocol: Protocol): Body {
  const optional = parameters(protocol).filter(
    (parameter) => !parameter.required && parameter.name !== 'previous_response_id',
  );
  const values = optional.map((parameter) => [
    parameter.name,
    parameter.name === 'stream' ? false : (validValues(builder, protocol, parameter)[0]?.value ?? null),
  ]);
  return { ...minimal[protocol], ...Object.fromEntries(values) };
}
