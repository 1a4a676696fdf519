import { type MatrixCell, matrix } from '../../../spec/matrix.ts';
import type { Group } from '../../../spec/vocabulary.ts';
import { inSituationId } from '../../types/request-ids.ts';
import type { Template } from '../../types/template.ts';
import { cellBody } from '../builder/bodies.ts';
import type { CaseBuilder } from '../builder/case-builder.ts';
import { openCell } from './cell-requests.ts';
import { nameOf, refusedCheck } from './cells.ts';

/** What a gateway may take for the group of a request, in place of that of its token (2.1). */
interface Bypass {
  readonly as: string;
  readonly words: string;
  readonly headers?: (group: Group) => Readonly<Record<string, string>>;
  readonly fields?: (group: Group) => Readonly<Record<string, Template>>;
}

/** What gateways pass a group on by, behind what tells it. */
const bypasses: readonly Bypass[] = [
  { as: 'x-group', words: 'the header X-Group', headers: (group) => ({ 'x-group': group }) },
  {
    as: 'x-consumer-groups',
    words: 'the header X-Consumer-Groups',
    headers: (group) => ({ 'x-consumer-groups': group }),
  },
  { as: 'group', words: 'the member `group`', fields: (group) => ({ group }) },
  {
    as: 'model-suffix',
    words: 'a suffix of the model',
    fields: (group) => ({ model: { $: 'model', suffix: `:${group}` } }),
  },
  {
    as: 'model-prefix',
    words: 'a prefix of the model',
    fields: (group) => ({ model: { $: 'model', prefix: `${group}/` } }),
  },
];

/** The group that is served in the place of a refused one. */
const servedGroup = ({ family, protocol, stream }: MatrixCell): Group | undefined =>
  matrix().find(
    (cell) =>
      cell.family === family &&
      cell.protocol === protocol &&
      cell.stream === stream &&
      cell.expectation === 'served',
  )?.group;

/**
 * What must be refused for the group of its token is refused where the request names the one that is served (2.1, 5):
 * none of it is part of the interface. None in `smoke`.
 */
export function groupBypassCases(builder: CaseBuilder): void {
  if (builder.depth.profile === 'smoke') return;
  for (const cell of matrix().filter(({ expectation, stream }) => expectation === 'refused' && !stream)) {
    const group = servedGroup(cell);
    if (group === undefined) continue;
    for (const bypass of bypasses) bypassCase(builder, cell, { bypass, group });
  }
}

function bypassCase(
  builder: CaseBuilder,
  cell: MatrixCell,
  { bypass: { as, words, headers, fields }, group }: { readonly bypass: Bypass; readonly group: Group },
): void {
  const { family, protocol, stream, requirements } = cell;
  const [requirement] = requirements;
  if (requirement === undefined) return;
  builder.add(
    {
      id: `families.${family}.${protocol}.${cell.group}.by.${as}`,
      title: `${nameOf(cell)}: must be refused, also where ${words} names the ${group} group`,
      requirements: [requirement],
      cell: { family, protocol, group: cell.group, stream },
    },
    openCell(builder.scope, cell) ?? protocol,
    () => {
      const plain = refusedCheck(builder, cell, requirement);
      const probe = builder.send(inSituationId(plain.probe, as), protocol, {
        expect: 'refusal',
        json: { ...Object(cellBody(cell)), ...fields?.(group) },
        ...(headers ? { headers: headers(group) } : {}),
        callers: [{ family, group: cell.group }],
        when: [{ kind: 'recorded', all: builder.cells(protocol) }],
      });
      return { ...plain, probe };
    },
  );
}
