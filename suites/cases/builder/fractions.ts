import type { Parameter } from '../../../spec/openapi.ts';

/** A part of a range that is no whole number, for a gateway may read one. */
const fraction = 0.35;

/** A value between the bounds of a parameter that is no whole number; undefined where there is none. */
export function fractionOf({
  types,
  minimum,
  maximum,
}: Pick<Parameter, 'types' | 'minimum' | 'maximum'>): number | undefined {
  if (minimum === undefined || maximum === undefined || types.includes('integer')) return undefined;
  return Number((minimum + fraction * (maximum - minimum)).toFixed(2));
}
