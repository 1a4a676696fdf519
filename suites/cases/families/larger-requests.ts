import type { Protocol } from '../../../spec/vocabulary.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { fullRequest, listedRequest } from '../parameters/full-requests.ts';

/** Where the smallest request is refused, a larger or another one shows that it was not for the family or the path. */
export const largerRequests = (builder: CaseBuilder, protocol: Protocol) => ({
  probes: [
    builder.control(protocol),
    fullRequest(builder, protocol),
    ...(protocol === 'responses' ? [listedRequest(builder)] : []),
  ],
  smallest: builder.cells(protocol),
});
