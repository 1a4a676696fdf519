import type { Parameter } from '../../../spec/openapi.ts';
import { protocolFacts } from '../../../spec/protocols.ts';
import { isTextProtocol, type Protocol } from '../../../spec/vocabulary.ts';
import type { Condition } from '../../types/plan.ts';
import { fractions, hello, manyScripts, plain, user } from '../builder/bodies.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { fractionOf } from '../builder/fractions.ts';
import { plainId } from '../builder/request-ids.ts';
import { anyValue, rowsShowing } from '../combinations/rows-showing.ts';
import { samples, type Value, value } from './values.ts';

export interface ValidValue extends Value {
  /** The plain request has it. */
  readonly inPlainRequest?: true;
  /** It stands for any value of its parameter. */
  readonly isSample?: true;
  readonly billed?: number;
  readonly when?: readonly Condition[];
}

/** The bounds and a fraction between them; every allowed value; a sample of the rest. */
export function validValues(
  builder: CaseBuilder,
  protocol: Protocol,
  parameter: Parameter,
): readonly ValidValue[] {
  const { name, allowed, types } = parameter;
  if (name === 'previous_response_id') {
    const exchange = builder.callers(protocol).length > 0 ? builder.control(protocol) : plainId(protocol);
    return [
      {
        slug: 'earlier',
        description: 'the id of an earlier response',
        value: { $: 'reply', exchange, pointer: '/id' },
        isSample: true,
        when: [{ kind: 'answered', any: [exchange] }],
      },
    ];
  }
  if (allowed) return allowed.map((each) => value(each));
  const numbers = inside(parameter).filter((number) => isAsked(builder, protocol, { name, number }));
  if (numbers.length > 0)
    return numbers.map((number) => ({ ...value(number), ...(name === 'n' ? { billed: number } : {}) }));
  if (types.includes('boolean')) return [value(false), value(true)];
  const sample = samples[name];
  if (sample !== undefined)
    return [{ slug: 'sample', description: JSON.stringify(sample), value: sample, isSample: true }];
  return name === protocolFacts[protocol].content ? prompts(protocol, parameter) : [];
}

/** What is asked: as the plain request does, and in other scripts, since a string is a string in any. */
const prompts = (protocol: Protocol, { name, types }: Parameter): readonly ValidValue[] => {
  const text = `${manyScripts} ${hello}`;
  return [
    {
      slug: 'plain',
      description: 'a plain value',
      value: plain[protocol][name] ?? null,
      inPlainRequest: true,
    },
    {
      slug: 'unicode',
      description: 'a value with letters of many scripts',
      value: types.includes('string') ? text : user(text),
    },
  ];
};

/** The bounds, and of what need not be whole a fraction, else the least but one. */
function inside(parameter: Parameter): readonly number[] {
  const { minimum, maximum } = parameter;
  if (minimum === undefined || maximum === undefined)
    return [minimum, maximum].filter((bound) => bound !== undefined);
  return [minimum, fractionOf(parameter) ?? minimum + 1, maximum];
}

/** A fraction is asked for where a request that is sent anyway has it, and otherwise in `full`. */
const isAsked = (
  builder: CaseBuilder,
  protocol: Protocol,
  { name, number }: { readonly name: string; readonly number: number },
): boolean =>
  Number.isInteger(number) ||
  builder.depth.profile === 'full' ||
  !isTextProtocol(protocol) ||
  name in fractions[protocol] ||
  rowsShowing(builder, protocol, { name, value: number }).length > 0;

/** Ids of the rows of the covering array that show a valid value. */
export const showing = (
  builder: CaseBuilder,
  protocol: Protocol,
  { name }: Pick<Parameter, 'name'>,
  { value: valid, isSample }: Pick<ValidValue, 'value' | 'isSample'>,
): readonly string[] => rowsShowing(builder, protocol, { name, value: isSample ? anyValue : valid });
