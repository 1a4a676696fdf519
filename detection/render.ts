import { markdownText } from '../reporters/escape.ts';
import { table } from '../reporters/document/markdown.ts';
import type { DetectionMatrix, FaultRow, VariantRow } from './matrix.ts';

const ids = (list: readonly string[]): string =>
  list.length === 0 ? '' : list.map((id) => `\`${id}\``).join(', ');

const isExact = (row: FaultRow): boolean =>
  row.caught && row.collateral.length === 0 && row.missed.length === 0;

const isAccepted = (row: VariantRow): boolean => row.verdict === 'conformant' && row.blamed.length === 0;

/** Nothing is wrong with the matrix: every fault is exactly blamed, every variant accepted, every requirement broken once. */
export const isSound = (matrix: DetectionMatrix): boolean =>
  matrix.faults.every(isExact) && matrix.variants.every(isAccepted) && matrix.unbroken.length === 0;

/** Nobody is blamed for nothing. A profile that asks for less than all misses faults, and blames none wrongly. */
export const isFair = (matrix: DetectionMatrix): boolean =>
  matrix.faults.every(({ collateral }) => collateral.length === 0) && matrix.variants.every(isAccepted);

export function figures({ faults, variants, unbroken }: DetectionMatrix): readonly string[] {
  const of = (count: number, all: number, what: string): string => `${count} of ${all} ${what}`;
  return [
    of(faults.filter((row) => row.caught).length, faults.length, 'faults caught'),
    of(faults.filter(isExact).length, faults.length, 'blamed on exactly the requirements that they break'),
    of(variants.filter(isAccepted).length, variants.length, 'conformant variants accepted'),
    unbroken.length === 0
      ? 'every requirement that can be failed is broken by a fault'
      : `no fault breaks ${ids(unbroken)}`,
  ];
}

/** What is wrong with rows of a matrix, one a line. A profile that asks for less than all may miss faults. */
export const wrongRows = (matrix: DetectionMatrix, isWhole: boolean): readonly string[] => [
  ...matrix.faults.flatMap(({ id, missed, collateral }) => [
    ...(isWhole ? missed : []).map((each) => `${id}: not blamed: ${each}`),
    ...collateral.map((each) => `${id}: wrongly blamed: ${each}`),
  ]),
  ...matrix.variants
    .filter((row) => !isAccepted(row))
    .map(({ id, verdict, blamed, open }) => `${id}: ${verdict}; ${[...blamed, ...open].join(', ')}`),
];

export function renderDetection(matrix: DetectionMatrix): string {
  const faultRows = matrix.faults.map((row) => [
    `\`${row.id}\``,
    markdownText(row.title),
    ids(row.breaks),
    row.caught ? 'yes' : 'NO',
    row.missed.length === 0 ? 'exactly' : `not ${ids(row.missed)}`,
    ids(row.collateral) || 'none',
  ]);
  const variantRows = matrix.variants.map((row) => [
    `\`${row.id}\``,
    markdownText(row.title),
    isAccepted(row) ? 'accepted' : `NOT: ${row.verdict} ${ids([...row.blamed, ...row.open])}`,
  ]);
  return [
    '# Detection, regression',
    '',
    'What this suite says of known gateways that each break one thing, and of known ones that each use one freedom of the',
    'interface. Written by `npm run detection`; the tests fail where it does not hold. The suite was made until it held: how',
    'much it finds of what nobody tuned it to is [measured](detection.md).',
    '',
    ...figures(matrix).map((line) => `- ${line}`),
    '',
    '## Faults',
    '',
    table(['fault', 'what it does', 'breaks', 'caught', 'blamed', 'collateral'], faultRows),
    '',
    '## Conformant variants',
    '',
    table(['variant', 'what it does', 'verdict'], variantRows),
    '',
  ].join('\n');
}
