import type { Payloads } from '../../../fixtures/payloads/payloads.ts';
import type { Parameter } from '../../../spec/openapi.ts';
import type { ProbeValue } from '../../../spec/probes.ts';
import type { Facts } from '../../../spec/templates.ts';
import type { Template } from '../../types/template.ts';
import { hello, turn, fractionOf } from '../builder/bodies.ts';

/** Times the whole range: beyond what a looser bound, or a percentage, would still allow. */
const far = 10;

/** The bounds of a parameter, each with a number a step outside it, the next whole one, and one far outside it. */
function outside({ types, minimum, maximum }: Parameter) {
  const step = types.includes('integer') ? 1 : 0.01;
  const range = minimum === undefined || maximum === undefined ? 1 : maximum - minimum;
  return [
    ...(minimum === undefined
      ? []
      : [{ as: 'below', near: minimum - step, whole: minimum - 1, far: minimum - far * range }]),
    ...(maximum === undefined
      ? []
      : [{ as: 'above', near: maximum + step, whole: maximum + 1, far: maximum + far * range }]),
  ];
}

/** The bounds, and of what need not be whole a fraction, else the least but one. */
function inside(parameter: Parameter): readonly number[] {
  const { minimum, maximum } = parameter;
  if (minimum === undefined || maximum === undefined)
    return [minimum, maximum].filter((bound) => bound !== undefined);
  return [minimum, fractionOf(parameter) ?? minimum + 1, maximum];
}

/** The last character of a text exchanged for its neighbour: 1792x1024 becomes 1792x1025. */
const neighbour = (text: string): string =>
  `${text.slice(0, -1)}${String.fromCharCode((text.codePointAt(text.length - 1) ?? 0) + 1)}`;

/** What a lax comparison takes: one that ignores case or blanks, looks within a list or a value, or makes none where it is false. */
const laxlyAllowed = ([first = '', second]: readonly string[]): Readonly<Record<string, string>> => ({
  case: first.toUpperCase(),
  blanks: ` ${first} `,
  shorter: first.slice(0, -1),
  ...(second === undefined ? {} : { joined: `${first},${second}` }),
  empty: '',
});

function notAllowed({ allowed = [], elsewhere = [] }: Parameter, { notAllowed: other }: Payloads) {
  const near = neighbour(allowed.at(-1) ?? '');
  return [
    { as: 'other', value: other },
    ...(allowed.includes(near) ? [] : [{ as: 'near', value: near }]),
    ...elsewhere.map((value) => ({ as: `elsewhere.${value}`, value })),
    ...Object.entries(laxlyAllowed(allowed))
      .filter(([, value]) => !allowed.includes(value))
      .map(([as, value]) => ({ as, value, after: 'other' })),
  ];
}

/** What a value is called that has no name of its own. */
export const nameOfValue = (value: unknown): string => String(value).replace(/[^\w.-]+/g, '-');

/** The values that are made from a parameter of openapi.yaml, by the name that a probe gives them. */
export const valueSets: Readonly<
  Record<string, (parameter: Parameter, data: Payloads) => readonly ProbeValue[]>
> = {
  'allowed values': ({ allowed = [] }) => allowed.map((value) => ({ value })),
  'values within the bounds': (parameter) =>
    inside(parameter).map((value) => ({ value, generations: parameter.name === 'n' ? value : 1 })),
  // Behind a 0, which may be read as left out, one below it.
  'values a step outside the bounds': (parameter) =>
    outside(parameter).flatMap(({ near }) =>
      near === 0 ? [{ value: 0 }, { value: -1 }] : [{ value: near }],
    ),
  'values far outside the bounds': (parameter) =>
    outside(parameter).flatMap(({ as, far: value, near, whole }) => {
      const after = nameOfValue(near);
      return [{ as: `far-${as}`, value, after }, ...(whole === near ? [] : [{ as, value: whole, after }])];
    }),
  'values not allowed': notAllowed,
};

/** A valid value, which wrong ones resemble. */
function sampleOf(parameter: Parameter, data: Payloads): Template {
  const { name, types, allowed, minimum, maximum, example } = parameter;
  if (name === 'model') return { $: 'model' };
  if (name === 'previous_response_id') return data.unknownResponseId;
  if (types.includes('boolean')) return true;
  if (allowed?.[0] !== undefined) return allowed[0];
  if (types.includes('array')) return turn('user', hello);
  if (minimum !== undefined && types.includes('number')) return (minimum + (maximum ?? minimum + 1)) / 2;
  return minimum ?? example ?? hello;
}

/** The facts about a valid value of a parameter that its wrong values are made of. */
export function factsOfSample(parameter: Parameter, data: Payloads): Facts {
  const sample = sampleOf(parameter, data);
  return {
    sample,
    sampleText: typeof sample === 'object' ? JSON.stringify([sample]) : String(sample),
    sampleAndHalf: Number(sample) + 0.5,
  };
}
