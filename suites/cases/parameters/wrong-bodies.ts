import type { Protocol } from '../../../spec/vocabulary.ts';
import { plain } from '../builder/bodies.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { wrongBodyId } from '../builder/request-ids.ts';
import { refusedCase } from './refused-request.ts';
import { type Value, value } from './values.ts';

/** One value of each JSON type but object, and an array that holds the valid request. */
const wrongBodies = (protocol: Protocol): readonly Value[] => [
  { ...value([]), slug: 'array' },
  { slug: 'listed-request', description: 'an array that holds the request', value: [plain[protocol]] },
  { ...value('x'), slug: 'string' },
  { ...value(1), slug: 'number' },
  { ...value(true), slug: 'boolean' },
  { ...value(null), slug: 'null' },
];

/** A body that is JSON and has no parameters: every endpoint requires some (4). */
export function wrongBodyCases(builder: CaseBuilder, protocol: Protocol): void {
  for (const { slug, description, value } of wrongBodies(protocol)) {
    refusedCase(builder, protocol, {
      caseId: `body.object.${slug}`,
      title: `a body that is ${description}`,
      requirement: `${protocol}.body.object`,
      requestId: wrongBodyId(protocol, slug),
      overrides: { json: value },
      reason: 'the body is not a JSON object, and has no parameters',
    });
  }
}
