import type { Parameter } from '../../../spec/openapi.ts';
import type { Protocol } from '../../../spec/vocabulary.ts';
import type { Condition, Template } from '../../model/plan.ts';
import { hello, plain, turn, user } from '../builder/bodies.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { plainId } from '../builder/request-ids.ts';

/** A value of a parameter, and what it is called. */
export interface Value {
  readonly slug: string;
  readonly description: string;
  readonly value: Template;
}

export interface ValidValue extends Value {
  /** The plain request has it. */
  readonly inPlainRequest?: true;
  readonly billed?: number;
  readonly when?: readonly Condition[];
}

const value = (of: Template, description = JSON.stringify(of)): Value => ({
  slug: String(of).replace(/[^\w.-]+/g, '-'),
  description,
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
    const exchange = builder.callers(protocol).length > 0 ? builder.control(protocol) : plainId(protocol);
    return [
      {
        slug: 'earlier',
        description: 'the id of an earlier response',
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
  if (parameter.name === 'stream') return [{ ...value(false), inPlainRequest: true }, value(true)];
  const sample = samples[parameter.name];
  if (sample !== undefined) return [{ slug: 'sample', description: JSON.stringify(sample), value: sample }];
  return [...ofPlainRequest(protocol, parameter), ...otherValues(parameter)];
}

/** What the plain request has anyway. */
const ofPlainRequest = (protocol: Protocol, { name }: Parameter): readonly ValidValue[] =>
  name in plain[protocol]
    ? [
        {
          slug: 'plain',
          description: 'a plain value',
          value: plain[protocol][name] ?? null,
          inPlainRequest: true,
        },
      ]
    : [];

/** A string is a string in any script; a truth value has two values; of an object nothing is known. */
function otherValues({ types }: Parameter): readonly ValidValue[] {
  if (types.includes('boolean')) return [value(true), value(false)];
  const unicode = { slug: 'unicode', description: 'a value with letters of many scripts' };
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

/** A step outside each bound. */
export const rangeCases = (parameter: Parameter): readonly Value[] =>
  outside(parameter).map(({ near }) => value(near));

/** A value far outside a bound, and the slug of the one a step outside it. */
export interface FarValue extends Value {
  readonly near: string;
}

/** Far outside each bound: a gateway may know the bound and clamp, or accept, what lies well beyond it. */
export const farCases = (parameter: Parameter): readonly FarValue[] =>
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
export function notAllowedCases(builder: CaseBuilder, { name, allowed }: Parameter): readonly Value[] {
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
export function typeCases(builder: CaseBuilder, parameter: Parameter): readonly Value[] {
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
