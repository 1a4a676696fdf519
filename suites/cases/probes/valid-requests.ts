import { type Parameter, parameters } from '../../../spec/openapi.ts';
import { isTextProtocol, type Protocol } from '../../../spec/vocabulary.ts';
import type { Template } from '../../types/template.ts';
import { type Body, fractions, hello, minimal, plain, user } from '../builder/bodies.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { fullId, listedInputId, plainId } from '../../types/request-ids.ts';
import { instead } from '../builder/shared-requests.ts';
import { anyValue, rowsShowing, rowsWhere } from '../combinations/situations.ts';
import { type Asked, changed } from './asked.ts';

/** Sent as the first caller, and only where no smaller request was answered. */
const whereSmallestFails = (builder: CaseBuilder, protocol: Protocol) =>
  ({
    callers: builder.callers(protocol).slice(0, 1),
    when: [{ kind: 'unanswered', all: [...builder.cells(protocol), builder.control(protocol)] }],
    billed: 0,
  }) as const;

export const fullRequest = (builder: CaseBuilder, protocol: Protocol): string =>
  builder.send(fullId(protocol), protocol, {
    json: fullBody(protocol),
    ...whereSmallestFails(builder, protocol),
  });

/** Another form of a parameter that has two: `input` as a list, in the shape that the register tries. */
export const listedRequest = (builder: CaseBuilder): string =>
  builder.send(listedInputId, 'responses', {
    json: { ...plain.responses, input: user(hello) },
    ...whereSmallestFails(builder, 'responses'),
  });

const validValue = ({ types, allowed, minimum, maximum, example }: Parameter): Template =>
  types.includes('boolean') ? false : (allowed?.[0] ?? minimum ?? maximum ?? example ?? null);

/** Every parameter but an id to chain from, which needs an answer first. */
export function fullBody(protocol: Protocol): Body {
  const optional = parameters(protocol).filter(
    ({ name, required }) => !required && name !== 'previous_response_id',
  );
  return {
    ...minimal[protocol],
    ...Object.fromEntries(optional.map((parameter) => [parameter.name, validValue(parameter)])),
  };
}

/** Ids of the rows of the covering array that show what a probe does. */
export function combinationsOf(builder: CaseBuilder, asked: Asked): readonly string[] {
  const { protocol, parameter, rows, given } = asked;
  if (typeof rows === 'object') return rowsWhere(builder, protocol, ({ factor }) => factor === rows.factor);
  const value = rows === 'any value' ? anyValue : (given.value as Template);
  return rowsShowing(builder, protocol, { name: parameter.name, value });
}

/** Plans the smallest request with a valid value: it is sent where none of the rows that have it is answered. */
export const sendAccepted = (builder: CaseBuilder, asked: Asked): string =>
  builder.send(asked.id, asked.protocol, {
    json: changed(asked, minimal[asked.protocol]),
    ...(asked.billed === undefined ? {} : { billed: Number(asked.billed) }),
    ...instead(combinationsOf(builder, asked)),
    ...(asked.waits === undefined ? {} : { when: [{ kind: 'answered', any: [asked.waits] }] }),
  });

/** A fraction is asked for where a request that is sent anyway has it, and otherwise in `full`. */
export function isWorthIt(builder: CaseBuilder, { protocol, parameter: { name }, given }: Asked): boolean {
  const { value } = given;
  return (
    typeof value !== 'number' ||
    Number.isInteger(value) ||
    builder.depth.profile === 'full' ||
    !isTextProtocol(protocol) ||
    name in fractions[protocol] ||
    rowsShowing(builder, protocol, { name, value }).length > 0
  );
}

export const acceptedOf = (
  builder: Pick<CaseBuilder, 'asked'>,
  protocol: Protocol,
  { slug }: Pick<Parameter, 'slug'>,
): readonly Asked[] =>
  builder
    .asked('parameters', protocol)
    .flat()
    .filter(({ expect, parameter }) => expect === 'accepted' && parameter.slug === slug);

/** Ids of the requests that show that valid values of a parameter are accepted, the plain one first. */
export const acceptedIds = (builder: CaseBuilder, { protocol, parameter }: Asked): readonly string[] => [
  plainId(protocol),
  ...acceptedOf(builder, protocol, parameter)
    .filter((asked) => asked.change !== undefined && isWorthIt(builder, asked))
    .flatMap((asked) => [...combinationsOf(builder, asked), asked.id]),
];

/** Ids of the requests that have a valid value of a parameter: rows, and the one in their stead, which is planned. */
export const requestsWith = (
  builder: CaseBuilder,
  protocol: Protocol,
  parameter: Pick<Parameter, 'slug'>,
  value: unknown,
): readonly string[] =>
  acceptedOf(builder, protocol, parameter)
    .filter(({ given }) => given.value === value)
    .flatMap((asked) => [...combinationsOf(builder, asked), sendAccepted(builder, asked)]);
