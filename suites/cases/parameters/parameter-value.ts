import type { Parameter } from '../../../spec/openapi.ts';
import type { Protocol } from '../../../spec/vocabulary.ts';
import { plain } from '../builder/bodies.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { parameterValueId } from '../builder/request-ids.ts';
import type { ValidValue } from './valid-values.ts';

/** Plans the plain request with a valid value of one parameter, and gives its id. */
export const sendParameterValue = (
  builder: CaseBuilder,
  protocol: Protocol,
  { name, slug }: Pick<Parameter, 'name' | 'slug'>,
  { slug: valueSlug, value, billed = 1, when }: Pick<ValidValue, 'slug' | 'value' | 'billed' | 'when'>,
): string =>
  builder.send(parameterValueId(protocol, slug, valueSlug), protocol, {
    json: { ...plain[protocol], [name]: value },
    billed,
    ...(when ? { when } : {}),
  });
