import type { Parameter } from '../../spec/openapi.ts';
import type { Protocol } from '../../spec/vocabulary.ts';
import type { Condition, Template } from '../model/plan.ts';
import { hello, plain, turn, user } from './builder/bodies.ts';
import type { CaseBuilder } from './builder/case-builder.ts';

interface Value {
  readonly slug: string;
  readonly words: string;
  readonly value: Template;
}

export interface ValidValue extends Value {
  /** The id of the request that shows it already. */
  readonly id?: string;
  readonly billed?: number;
  readonly when?: readonly Condition[];
}

const value = (of: Template, words = JSON.stringify(of)): Value => ({
  slug: String(of).replace(/[^\w.-]+/g, '-'),
  words,
  value: of,
});

/** What a parameter without bounds and allowed values is given. */
const samples: Readonly<Record<string, Template>> = {
  instructions: 'Answer in one short sentence.',
  system: 'Answer in one short sentence.',
  max_tokens: 64,
};

/** Bounds themselves, a step inside them and the middle; every allowed value; a sample of the rest. */
export function validValues(
  builder: CaseBuilder,
  protocol: Protocol,
  parameter: Parameter,
): readonly ValidValue[] {
  if (parameter.name === 'previous_response_id') {
    const exchange = builder.callers(protocol).length > 0 ? builder.control(protocol) : `${protocol}.plain`;
    return [
      {
        slug: 'earlier',
        words: 'the id of an earlier response',
        value: { $: 'reply', exchange, pointer: '/id' },
        when: [{ kind: 'answered', any: [exchange] }],
      },
    ];
  }
  if (parameter.allowed) return parameter.allowed.map((allowed) => value(allowed));
  const numbers = inside(parameter);
  if (numbers.length > 0) {
    return numbers.map((number) => ({
      ...value(number),
      ...(parameter.name === 'n' ? { billed: number } : {}),
    }));
  }
  if (parameter.name === 'stream') return [{ ...value(false), id: `${protocol}.plain` }, value(true)];
  const sample = samples[parameter.name];
  if (sample !== undefined) return [{ slug: 'sample', words: JSON.stringify(sample), value: sample }];
  return [...shownPlainly(protocol, parameter), ...otherValues(parameter)];
}

/** What the plain request holds anyway. */
const shownPlainly = (protocol: Protocol, { name }: Parameter): readonly ValidValue[] =>
  name in plain[protocol]
    ? [
        {
          slug: 'plain',
          words: 'a plain value',
          value: plain[protocol][name] ?? null,
          id: `${protocol}.plain`,
        },
      ]
    : [];

/** A string is a string in any script; a truth value has two values; of an object nothing is known. */
function otherValues({ types }: Parameter): readonly ValidValue[] {
  if (types.includes('boolean')) return [value(true), value(false)];
  const unicode = { slug: 'unicode', words: 'a value with letters of many scripts' };
  if (types.includes('string')) return [{ ...unicode, value: manyScripts }];
  return types.includes('array') ? [{ ...unicode, value: user(manyScripts) }] : [];
}

/** A string is a string in any script. */
const manyScripts = 'Reply with the word hello. Grüße, Привет, שלום, 你好, 🌍';

/**
 * The bounds that there are, and within both the middle and a step inside each. Of integers no upper
 * neighbour: one image fewer than the most shows nothing and is billed in full.
 */
function inside({ types, minimum, maximum }: Parameter): readonly number[] {
  const integer = types.includes('integer');
  if (minimum === undefined || maximum === undefined)
    return [minimum, maximum].filter((bound) => bound !== undefined);
  const within = integer ? [minimum + 1] : [minimum + 0.01, maximum - 0.01];
  const middle = integer ? [] : [(minimum + maximum) / 2];
  const all = [...middle, minimum, ...within, maximum];
  return [...new Set(all)].filter((number) => number >= minimum && number <= maximum);
}

/** A step outside each bound. */
export function rangeCases(parameter: Parameter): readonly Value[] {
  const { minimum, maximum } = parameter;
  const step = parameter.types.includes('integer') ? 1 : 0.01;
  return [
    ...(minimum === undefined ? [] : [value(minimum - step)]),
    ...(maximum === undefined ? [] : [value(maximum + step)]),
  ];
}

/** A value far outside a bound, and the slug of the one a step outside it. */
export interface FarValue extends Value {
  readonly near: string;
}

/** So many times the whole range: beyond what a looser bound, or a percentage, would still let through. */
const far = 10;

/** Far outside each bound: a gateway may know the bound and clamp, or take, what lies well beyond it. */
export function farCases(parameter: Parameter): readonly FarValue[] {
  const { minimum, maximum } = parameter;
  const range = minimum === undefined || maximum === undefined ? 1 : maximum - minimum;
  const [below, above] = [
    minimum === undefined ? undefined : minimum - far * range,
    maximum === undefined ? undefined : maximum + far * range,
  ];
  const sides = [
    ...(below === undefined ? [] : [{ ...value(below), slug: 'far-below' }]),
    ...(above === undefined ? [] : [{ ...value(above), slug: 'far-above' }]),
  ];
  return sides.map((side, at) => ({ ...side, near: rangeCases(parameter)[at]?.slug ?? '' }));
}

/** The last character of a text exchanged for its neighbour: 1792x1024 becomes 1792x1025. */
const near = (text: string): string =>
  `${text.slice(0, -1)}${String.fromCharCode((text.codePointAt(text.length - 1) ?? 0) + 1)}`;

/** What other interfaces allow: a gateway that passes on all that it is given takes these, and no nonsense. */
const allowedElsewhere: Readonly<Record<string, string>> = {
  size: 'auto',
  quality: 'high',
  response_format: 'b64',
};

/** A value that is like none of those allowed, one that is like the last of them, and one that others allow. */
export function notAllowedCases(builder: CaseBuilder, { name, allowed }: Parameter): readonly Value[] {
  if (allowed === undefined) return [];
  const last = near(allowed.at(-1) ?? '');
  const elsewhere = allowedElsewhere[name];
  return [
    { slug: 'other', words: JSON.stringify(builder.data.notAllowed), value: builder.data.notAllowed },
    ...(allowed.includes(last) ? [] : [{ slug: 'near', words: JSON.stringify(last), value: last }]),
    ...(elsewhere === undefined
      ? []
      : [{ slug: 'elsewhere', words: JSON.stringify(elsewhere), value: elsewhere }]),
  ];
}

/** A model that is like none of the catalogue, and one that begins with the name of one. */
export const unknownModels = (builder: CaseBuilder): readonly Value[] => [
  { slug: 'unknown', words: 'a name that is not in the catalogue', value: builder.data.unknownModel },
  {
    slug: 'longer',
    words: 'the name of a model with more behind it',
    value: { $: 'model', suffix: `-${builder.data.notAllowed}` },
  },
];

/**
 * One value of each other JSON type. Each resembles the valid one, so that a gateway that coerces
 * what it is given shows itself. `null` is another type only where the parameter is required.
 */
export function typeCases(builder: CaseBuilder, parameter: Parameter): readonly Value[] {
  const sample = typeSample(builder, parameter);
  const is = (...types: Parameter['types']) => types.some((type) => parameter.types.includes(type));
  const numeric = is('integer', 'number');
  const wrong: readonly (Value | false)[] = [
    !is('string') && {
      slug: 'string',
      words: 'a string',
      value: typeof sample === 'object' ? 'hello' : String(sample),
    },
    !numeric && { slug: 'number', words: 'a number', value: is('boolean') ? 1 : 42 },
    is('integer') && { slug: 'fraction', words: 'a number with a fraction', value: Number(sample) + 0.5 },
    !is('boolean') && { slug: 'boolean', words: 'a boolean', value: true },
    !is('array') && { slug: 'array', words: 'an array', value: [sample] },
    !is('object') && { slug: 'object', words: 'an object', value: { value: sample } },
    parameter.required && { slug: 'null', words: 'null', value: null },
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
