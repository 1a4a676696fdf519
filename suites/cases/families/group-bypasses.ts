import { cellsWhere, type MatrixCell } from '../../../spec/matrix.ts';
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
  ...['X-Group', 'X-Consumer-Groups'].map((name) => ({
    as: name.toLowerCase(),
    words: `the header ${name}`,
    headers: (group: Group) => ({ [name.toLowerCase()]: group }),
  })),
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
  cellsWhere({ family, protocol, stream, expectation: 'served' })[0]?.group;

/** How a request asks for a stream, with what its case is called by: a gateway may look at one kind alone. */
interface StreamLevel {
  /** Left out where it is undefined. */
  readonly stream?: boolean;
  readonly suffix: string;
}
const leftOut: StreamLevel = { suffix: '' };
const given: readonly StreamLevel[] = [
  { stream: true, suffix: '.streamed' },
  { stream: false, suffix: '.unstreamed' },
];

/** What is refused for its group stays refused where the request names the served one (2.1, 5): each way on each cell; not in `smoke`. */
export function groupBypassCases(builder: CaseBuilder): void {
  const cells = cellsWhere({ expectation: 'refused', stream: false }).flatMap((cell) => {
    const group = servedGroup(cell);
    return group ? [{ cell, group }] : [];
  });
  for (const [at, { cell, group }] of cells.entries())
    for (const [number, bypass] of bypasses.entries()) {
      const turn = (at + number) % given.length;
      for (const level of [leftOut, ...given.slice(turn, turn + 1)])
        bypassCase(builder, cell, group, bypass, level);
    }
}

function bypassCase(
  builder: CaseBuilder,
  cell: MatrixCell,
  group: Group,
  { as, words, headers, fields }: Bypass,
  { stream, suffix }: StreamLevel,
): void {
  const { family, protocol, requirements } = cell;
  const asked = { ...cell, stream: stream === true };
  const [requirement] = requirements;
  if (requirement === undefined) return;
  builder.add({
    id: `families.${family}.${protocol}.${cell.group}.by.${as}${suffix}`,
    title: `${nameOf(asked)}: must be refused, also where ${words} names the ${group} group`,
    requirement,
    cell: { family, protocol, group: cell.group, stream: asked.stream },
    needs: openCell(builder.scope, cell) ?? protocol,
    check: () => {
      const plain = refusedCheck(builder, cell, requirement);
      const given = { ...(stream === undefined ? {} : { stream }), ...fields?.(group) };
      const probe = builder.send(inSituationId(plain.probe, `${as}${suffix}`), protocol, {
        expect: 'refusal',
        json: { ...Object(cellBody(cell)), ...given },
        ...(headers ? { headers: headers(group) } : {}),
        callers: [{ family, group: cell.group }],
        when: [{ kind: 'recorded', all: builder.cells(protocol) }],
      });
      return { ...plain, probe };
    },
  });
}
