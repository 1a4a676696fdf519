import { allGroups, extension, oncePerExtension } from './extension.ts';
import { type Cell, drawsImages, families, groups, isTextProtocol, protocols } from './vocabulary.ts';
import { yamlDocument } from './yaml-document.ts';

const file = 'spec/matrix.yaml';

/** What the interface says of a cell. */
export type Expectation = 'served' | 'refused' | 'conflict' | 'unspecified';

/** A cell of the support matrix (sections 2.2, 4 and 5), with what follows for it. */
export interface MatrixCell extends Cell {
  readonly expectation: Expectation;
  /** With `served`: at least one declared group must be served, the interface does not say which. */
  readonly anyGroup: boolean;
  readonly why: string;
  /** Requirements it follows from. */
  readonly requirements: readonly string[];
}

/** A rule of the matrix file; an axis that is left out matches every value. */
export interface MatrixRule {
  readonly family?: string | readonly string[];
  readonly protocol?: string | readonly string[];
  readonly group?: string | readonly string[];
  readonly stream?: boolean;
  readonly expectation: Expectation;
  readonly anyGroup?: boolean;
  readonly why: string;
  readonly requirements: readonly string[];
}

/** Every cell there is: only text protocols know `stream`. */
export const cells: () => readonly Cell[] = oncePerExtension(() =>
  families.flatMap((family) =>
    protocols.flatMap((protocol) => {
      const streams = isTextProtocol(protocol) ? [false, true] : [false];
      return allGroups().flatMap((group) => streams.map((stream) => ({ family, protocol, group, stream })));
    }),
  ),
);

const axes = ['family', 'protocol', 'group', 'stream'] as const;

const matches = (rule: MatrixRule, cell: Cell): boolean =>
  axes.every((axis) => {
    const wanted = rule[axis];
    return wanted === undefined || [wanted].flat().includes(cell[axis]);
  });

/** The first rule that matches each cell. Throws on a cell without a rule and on a rule without a cell. */
export function expand(rules: readonly MatrixRule[]): readonly MatrixCell[] {
  const used = new Set<MatrixRule>();
  const expanded = cells().map((cell) => {
    const rule = rules.find((candidate) => matches(candidate, cell));
    if (rule === undefined) throw new Error(`${file}: no rule for ${JSON.stringify(cell)}`);
    used.add(rule);
    const { expectation, anyGroup = false, why, requirements } = rule;
    return { ...cell, expectation, anyGroup, why, requirements };
  });
  const idle = rules.find((rule) => !used.has(rule));
  if (idle !== undefined) throw new Error(`${file}: no cell is left for the rule "${idle.why}"`);
  return expanded;
}

const idOf = ({ family, protocol, group }: Omit<Cell, 'stream'>) => `family.${family}.${protocol}.${group}`;

/** A cell as an extension in force states it: served, or refused to an added group as to others, of which nothing else is asked. */
function stated(cell: MatrixCell): readonly MatrixCell[] {
  const { family, protocol, group, stream, expectation } = cell;
  const id = idOf(cell);
  const isServed = (extension()?.cells ?? []).some((own) => idOf(own) === id);
  if (isServed && !(stream && drawsImages(family))) {
    const why = `An extension says that ${family} models are served by ${protocol} with a token of the group ${group}.`;
    return [{ ...cell, expectation: 'served', anyGroup: false, why, requirements: [id] }];
  }
  if (groups.includes(group)) return [cell];
  return expectation === 'refused' ? [{ ...cell, requirements: [id] }] : [];
}

/** The whole support matrix, every cell once. */
export const matrix: () => readonly MatrixCell[] = oncePerExtension(() =>
  expand(yamlDocument(file) as readonly MatrixRule[]).flatMap(stated),
);

/** Its cells that have all of these facts, in its order. */
export const cellsWhere = (facts: Partial<MatrixCell>): readonly MatrixCell[] =>
  matrix().filter((cell) =>
    (Object.keys(facts) as (keyof MatrixCell)[]).every((name) => cell[name] === facts[name]),
  );

/** The cells that an extension in force states, one for all that differ in `stream` alone. */
export const ownCells = (): readonly MatrixCell[] =>
  cellsWhere({ stream: false }).filter((cell) => extension() && cell.requirements[0] === idOf(cell));

const keyOf = ({ family, protocol, group, stream }: Cell) => `${family} ${protocol} ${group} ${stream}`;

const byKey = oncePerExtension(() => new Map(matrix().map((cell) => [keyOf(cell), cell])));

/** What the matrix says of a cell; undefined where it has none such, as a stream of images. */
export const matrixCell = (cell: Cell): MatrixCell | undefined => byKey().get(keyOf(cell));
