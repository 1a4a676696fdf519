import type { Parameter } from '../../../spec/openapi.ts';
import type { Protocol } from '../../../spec/vocabulary.ts';
import { minimal } from '../builder/bodies.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { instead } from '../builder/shared-requests.ts';
import { parameterValueId } from '../builder/request-ids.ts';
import type { ValidValue } from './valid-values.ts';

interface SingleValue extends Pick<ValidValue, 'slug' | 'value' | 'billed' | 'when'> {
  /** Requests that have the value among others. */
  readonly combinations: readonly string[];
}

/**
 * Plans the plain request with a valid value of one parameter, and gives its id. It is sent where none of the
 * requests that have the value among others is answered.
 */
export function sendParameterValue(
  builder: CaseBuilder,
  protocol: Protocol,
  { name, slug }: Pick<Parameter, 'name' | 'slug'>,
  { slug: valueSlug, value, billed = 1, when, combinations }: SingleValue,
): string {
  return builder.send(parameterValueId(protocol, slug, valueSlug), protocol, {
    json: { ...minimal[protocol], [name]: value },
    billed,
    ...instead(combinations),
    ...(when ? { when } : {}),
  });
}
