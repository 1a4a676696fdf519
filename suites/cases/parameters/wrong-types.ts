import type { Parameter } from '../../../spec/openapi.ts';
import type { Template } from '../../types/template.ts';
import { hello, turn } from '../builder/bodies.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { samples, type Value } from './values.ts';

/**
 * One value of each other JSON type. Each resembles the valid one, so that a gateway that coerces what it is given
 * shows itself. `null` is another type only where the parameter is required.
 */
export function valuesOfWrongType(builder: CaseBuilder, parameter: Parameter): readonly Value[] {
  const sample = typeSample(builder, parameter);
  const is = (...types: Parameter['types']) => types.some((type) => parameter.types.includes(type));
  const numeric = is('integer', 'number');
  const wrong: readonly (Value | false)[] = [
    !is('string') && {
      slug: 'string',
      description: 'a string',
      value: typeof sample === 'object' ? JSON.stringify([sample]) : String(sample),
    },
    !numeric && { slug: 'number', description: 'a number', value: is('boolean') ? 1 : 42 },
    is('integer') && {
      slug: 'fraction',
      description: 'a number with a fraction',
      value: Number(sample) + 0.5,
    },
    is('boolean') && { slug: 'word', description: 'the text "false"', value: 'false', unless: 'string' },
    !is('boolean') && { slug: 'boolean', description: 'a boolean', value: true },
    !is('array') && { slug: 'array', description: 'an array', value: [sample] },
    !is('object') && { slug: 'object', description: 'an object', value: objectWith(sample, is('array')) },
    parameter.required && { slug: 'null', description: 'null', value: null },
    is('array') && {
      slug: 'single',
      description: 'an element without its array',
      value: sample,
      unless: 'object',
    },
    !parameter.required && falseValue(parameter),
  ];
  return wrong.filter((entry) => entry !== false);
}

/** In place of an array an object whose names are its indexes: PHP reads both alike, and `Object.values` too. */
const objectWith = (sample: Template, inPlaceOfArray: boolean): Template =>
  inPlaceOfArray ? { 0: sample } : { value: sample };

/**
 * What `if (value && …)` takes for absent, and so does not check, though it is of a wrong type. An empty string is 0
 * to `Number` and to forms as well.
 */
function falseValue({ types }: Parameter): Value | false {
  if (types.includes('string')) {
    return { slug: 'false', description: 'the boolean false', value: false, unless: 'boolean' };
  }
  if (types.includes('boolean')) {
    return { slug: 'zero', description: 'the number 0', value: 0, unless: 'number' };
  }
  return (
    (types.includes('integer') || types.includes('number')) && {
      slug: 'empty',
      description: 'an empty string',
      value: '',
      unless: 'string',
    }
  );
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
