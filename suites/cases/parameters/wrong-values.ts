import type { Parameter } from '../../../spec/openapi.ts';
import type { Template } from '../../model/plan.ts';
import { hello, turn } from '../builder/bodies.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { samples, type Value, value } from './values.ts';

/** So many times the whole range: beyond what a looser bound, or a percentage, would still let through. */
const far = 10;

/** The bounds of a parameter, each with a number a step outside it and one far outside it. */
function outside({ types, minimum, maximum }: Parameter) {
  const step = types.includes('integer') ? 1 : 0.01;
  const range = minimum === undefined || maximum === undefined ? 1 : maximum - minimum;
  return [
    ...(minimum === undefined
      ? []
      : [{ farSlug: 'far-below', near: minimum - step, far: minimum - far * range }]),
    ...(maximum === undefined
      ? []
      : [{ farSlug: 'far-above', near: maximum + step, far: maximum + far * range }]),
  ];
}

/** A step outside each bound; behind a 0, which may be read as left out, one below it. */
export const valuesOutside = (parameter: Parameter): readonly Value[] =>
  outside(parameter).flatMap(({ near }) => (near === 0 ? [value(0), value(-1)] : [value(near)]));

/** A value far outside a bound, and the slug of the one a step outside it. */
export interface FarValue extends Value {
  readonly near: string;
}

/** Far outside each bound: a gateway may know the bound and clamp, or accept, what lies well beyond it. */
export const valuesFarOutside = (parameter: Parameter): readonly FarValue[] =>
  outside(parameter).map((bound) => ({
    ...value(bound.far),
    slug: bound.farSlug,
    near: value(bound.near).slug,
  }));

/** The last character of a text exchanged for its neighbour: 1792x1024 becomes 1792x1025. */
const neighbour = (text: string): string =>
  `${text.slice(0, -1)}${String.fromCharCode((text.codePointAt(text.length - 1) ?? 0) + 1)}`;

/** What other interfaces allow: a gateway that passes on all that it is given takes these, and no nonsense. */
const allowedElsewhere: Readonly<Record<string, string>> = {
  size: 'auto',
  quality: 'high',
  response_format: 'b64',
};

/** A value that is like none of those allowed, one that is like the last of them, and one that others allow. */
export function valuesNotAllowed(builder: CaseBuilder, { name, allowed }: Parameter): readonly Value[] {
  const last = allowed?.at(-1);
  if (allowed === undefined || last === undefined) return [];
  const near = neighbour(last);
  const elsewhere = allowedElsewhere[name];
  return [
    { ...value(builder.data.notAllowed), slug: 'other' },
    ...(allowed.includes(near) ? [] : [{ ...value(near), slug: 'near' }]),
    ...(elsewhere === undefined ? [] : [{ ...value(elsewhere), slug: 'elsewhere' }]),
  ];
}

/** A model that is like none of the catalogue, and one that begins with the name of one. */
export const unknownModels = (builder: CaseBuilder): readonly Value[] => [
  { slug: 'unknown', description: 'a name that is not in the catalogue', value: builder.data.unknownModel },
  {
    slug: 'longer',
    description: 'the name of a model with more behind it',
    value: { $: 'model', suffix: `-${builder.data.notAllowed}` },
  },
];

/**
 * One value of each other JSON type. Each resembles the valid one, so that a gateway that coerces
 * what it is given shows itself. `null` is another type only where the parameter is required.
 */
export function valuesOfWrongType(builder: CaseBuilder, parameter: Parameter): readonly Value[] {
  const sample = typeSample(builder, parameter);
  const is = (...types: Parameter['types']) => types.some((type) => parameter.types.includes(type));
  const numeric = is('integer', 'number');
  const wrong: readonly (Value | false)[] = [
    !is('string') && {
      slug: 'string',
      description: 'a string',
      value: typeof sample === 'object' ? 'hello' : String(sample),
    },
    !numeric && { slug: 'number', description: 'a number', value: is('boolean') ? 1 : 42 },
    is('integer') && {
      slug: 'fraction',
      description: 'a number with a fraction',
      value: Number(sample) + 0.5,
    },
    !is('boolean') && { slug: 'boolean', description: 'a boolean', value: true },
    !is('array') && { slug: 'array', description: 'an array', value: [sample] },
    !is('object') && { slug: 'object', description: 'an object', value: { value: sample } },
    parameter.required && { slug: 'null', description: 'null', value: null },
  ];
  return wrong.filter((entry) => entry !== false);
}

function typeSample(builder: CaseBuilder, parameter: Parameter): Template {
  if (parameter.name === 'model') return { $: 'model' };
  if (parameter.name === 'previous_response_id') return builder.data.unknownResponseId;
  if (parameter.types.includes('boolean')) return true;
  if (parameter.allowed?.[0] !== undefined) return parameter.allowed[0];
  if (parameter.types.includes('array')) return turn('user', hello);
  if (parameter.minimum !== undefined && parameter.types.includes('number')) {
    return (parameter.minimum + (parameter.maximum ?? parameter.minimum + 1)) / 2;
  }
  return parameter.minimum ?? samples[parameter.name] ?? hello;
}
