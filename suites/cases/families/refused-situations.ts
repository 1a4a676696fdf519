import { matrix } from '../../../spec/matrix.ts';
import { textProtocols } from '../../../spec/vocabulary.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { inSituationId } from '../../types/request-ids.ts';
import { type Situation, situationsFor } from '../combinations/situations.ts';
import { openCell } from './cell-requests.ts';
import { nameOf, refusedCheck } from './cells.ts';

/**
 * What must be refused for its family is refused with whatever else a request has (2.2, 4): each cell in one row of the
 * covering array of its protocol, the next cell in the next row. None in `smoke`.
 */
export function refusedSituationCases(builder: CaseBuilder): void {
  if (builder.depth.profile === 'smoke') return;
  for (const protocol of textProtocols) {
    // An id of another model's response would be refused for itself.
    const rows = situationsFor(builder, protocol, '').filter(({ body }) => !('previous_response_id' in body));
    const cells = matrix().filter(
      (cell) => cell.protocol === protocol && cell.expectation === 'refused' && !cell.stream,
    );
    for (const [at, cell] of cells.entries()) {
      const row = rows[at % rows.length];
      if (row !== undefined) refusedCase(builder, cell, row);
    }
  }
}

function refusedCase(
  builder: CaseBuilder,
  cell: ReturnType<typeof matrix>[number],
  { row, number, body, stream }: Situation,
): void {
  const { family, protocol, group, requirements } = cell;
  const [requirement] = requirements;
  // The case of the cell itself says why it can't be judged.
  if (requirement === undefined || openCell(builder.scope, cell) !== null) return;
  builder.add(
    {
      id: `families.${family}.${protocol}.${group}.in.${number}`,
      title: `${nameOf(cell)}: must be refused, also in row ${number} of the combinations`,
      requirements: [requirement],
      cell: { family, protocol, group, stream },
    },
    protocol,
    () => {
      const plain = refusedCheck(builder, cell, requirement);
      const probe = builder.send(inSituationId(plain.probe, number), protocol, {
        expect: 'refusal',
        json: body,
        callers: [{ family, group }],
        when: [{ kind: 'recorded', all: [row] }],
      });
      // What is streamed has controls that are.
      const { controls } = refusedCheck(builder, { ...cell, stream }, requirement);
      return { ...plain, probe, controls: [row, ...controls], controlMayBeRefused: true };
    },
  );
}
