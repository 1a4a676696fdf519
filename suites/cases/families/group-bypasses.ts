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

/** Values of `stream` that a request has, each with what its case is called by: a gateway may look at one kind alone. */
const streams: readonly { readonly stream: boolean; readonly suffix: string }[] = [
  { stream: true, suffix: '.streamed' },
  { stream: false, suffix: '.unstreamed' },
];

/**
 * What must be refused for the group of its token is refused where the request names the one that is served (2.1, 5):
 * none of it is part of the interface. Each way is tried on each cell, and with each value of `stream` on one of them.
 * None in `smoke`.
 */
export function groupBypassCases(builder: CaseBuilder): void {
  if (builder.depth.profile === 'smoke') return;
  const cells = matrix().filter(({ expectation, stream }) => expectation === 'refused' && !stream);
  for (const [at, cell] of cells.filter((each) => servedGroup(each)).entries()) {
    for (const [number, bypass] of bypasses.entries()) {
      bypassCase(builder, cell, { bypass, suffix: '' });
      bypassCase(builder, cell, { bypass, suffix: '', ...streams[(at + number) % streams.length] });
    }
  }
}

/** A way, and how the request that shows it asks for a stream; where it is left out, not at all. */
interface Shown {
  readonly bypass: Bypass;
  readonly stream?: boolean;
  readonly suffix: string;
}

function bypassCase(
  builder: CaseBuilder,
  cell: MatrixCell,
  { bypass: { as, words, headers, fields }, stream, suffix }: Shown,
): void {
  const group = servedGroup(cell);
  if (group === undefined) return;
  const { family, protocol, requirements } = cell;
  const asked = { ...cell, stream: stream === true };
  const [requirement] = requirements;
  if (requirement === undefined) return;
  builder.add(
    {
      id: `families.${family}.${protocol}.${cell.group}.by.${as}${suffix}`,
      title: `${nameOf(asked)}: must be refused, also where ${words} names the ${group} group`,
      requirements: [requirement],
      cell: { family, protocol, group: cell.group, stream: asked.stream },
    },
    openCell(builder.scope, cell) ?? protocol,
    () => {
      const plain = refusedCheck(builder, cell, requirement);
      const probe = builder.send(inSituationId(plain.probe, `${as}${suffix}`), protocol, {
        expect: 'refusal',
        json: { ...Object(cellBody(cell)), ...(stream === undefined ? {} : { stream }), ...fields?.(group) },
        ...(headers ? { headers: headers(group) } : {}),
        callers: [{ family, group: cell.group }],
        when: [{ kind: 'recorded', all: builder.cells(protocol) }],
      });
      return { ...plain, probe };
    },
  );
}
