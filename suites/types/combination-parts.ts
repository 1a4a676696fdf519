import { acceptOf } from './accept.ts';
import { combinedBody, headersOf } from './combination.ts';
import type { PlannedRequest } from './plan.ts';

export const partId = (of: string, factors: readonly string[]): string =>
  `${of}.part.${factors.length === 0 ? 'nothing' : factors.join('+')}`;

/** The id of such a part that is asked once more, behind the answers that it is compared with. */
export const confirmedPartId = (of: string, factors: readonly string[]): string =>
  `${partId(of, factors)}.again`;

/** A part of a planned combination: the same request with some of its settings. */
export function partOf(request: PlannedRequest, factors: readonly string[]): PlannedRequest {
  const { combination, headers: _, ...whole } = request;
  if (combination === undefined) throw new Error(`${request.id} is no combination`);
  const kept = combination.settings.filter(({ factor }) => factors.includes(factor));
  const stream = kept.some(({ fields }) => fields?.stream === true);
  const headers = headersOf(kept);
  return {
    ...whole,
    ...(headers ? { headers } : {}),
    id: partId(request.id, factors),
    accept: acceptOf(stream),
    body: { json: combinedBody(combination, kept) },
    stream,
    when: [],
  };
}
