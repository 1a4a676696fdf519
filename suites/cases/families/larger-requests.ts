import type { Protocol } from '../../../spec/vocabulary.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { fullRequest, listedRequest } from '../parameters/full-requests.ts';

/**
 * Where the smallest request is refused, a larger or another one shows that it was not for the family or the path.
 * `smoke` has only the plain one, which it sends anyway, and last.
 */
export const largerRequests = (builder: CaseBuilder, protocol: Protocol) => ({
  probes: [
    builder.control(protocol),
    ...(builder.depth.profile === 'smoke' ? [] : furtherRequests(builder, protocol)),
  ],
  smallest: builder.cells(protocol),
});

const furtherRequests = (builder: CaseBuilder, protocol: Protocol): readonly string[] => [
  fullRequest(builder, protocol),
  ...(protocol === 'responses' ? [listedRequest(builder)] : []),
];
