import type { Parameter } from '../../../spec/openapi.ts';
import type { Protocol } from '../../../spec/vocabulary.ts';
import type { Condition } from '../../model/plan.ts';
import { plain, user } from '../builder/bodies.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { plainId } from '../builder/request-ids.ts';
import { samples, type Value, value } from './values.ts';

export interface ValidValue extends Value {
  /** The plain request has it. */
  readonly inPlainRequest?: true;
  readonly billed?: number;
  readonly when?: readonly Condition[];
}

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
