import type { Protocol } from '../../../spec/vocabulary.ts';
import { minimal } from '../builder/bodies.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { anySizeId } from '../../types/request-ids.ts';
import { fullRequest, listedRequest } from '../probes/valid-requests.ts';

/** Where the smallest request is refused, a larger or another one shows that it was not for the family or the path. */
export const largerRequests = (builder: CaseBuilder, protocol: Protocol) => ({
  probes: [
    builder.control(protocol),
    fullRequest(builder, protocol),
    ...(protocol === 'responses' ? [listedRequest(builder)] : []),
    ...(protocol === 'images' && builder.depth.profile === 'smoke' ? [ofAnySize(builder)] : []),
  ],
  smallest: builder.cells(protocol),
});

/** The smallest images are asked for in `smoke`: where they are refused, it may be for their size. */
const ofAnySize = (builder: CaseBuilder): string =>
  builder.send(anySizeId, 'images', {
    json: minimal.images,
    anySize: true,
    when: [{ kind: 'unanswered', all: builder.cells('images') }],
    billed: 0,
  });
