import { faults } from '../fixtures/faults/index.ts';
import { variants } from '../fixtures/variants/index.ts';
import { requirements } from '../spec/requirements.ts';
import { isGatingLevel } from '../spec/vocabulary.ts';
import { isGating } from '../suites/types/gating.ts';
import { blamed, concurrently, type DetectOptions } from './detect.ts';
import { heldReport } from './truth/untruths.ts';
import { markdownText } from '../reporters/escape.ts';
import { table } from '../reporters/document/markdown.ts';

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

export type FaultRow = Awaited<ReturnType<typeof faultRow>>;
export type VariantRow = Awaited<ReturnType<typeof variantRow>>;
type DetectionMatrix = Awaited<ReturnType<typeof detectionMatrix>>;

/** Gateways under test at once: a slow or busy one mostly waits. */
const concurrentGateways = 4;

/** Runs the suite over all faults and variants. A fault that a profile does not ask about is missed. */
export async function detectionMatrix(options: DetectOptions = {}, onRow: () => void = () => {}) {
  const broken = new Set(faults.flatMap(({ breaks, anyOf }) => (anyOf ? [] : breaks)));
  return {
    faults: await concurrently(faults, concurrentGateways, (fault) => faultRow(fault, options), onRow),
    variants: await concurrently(variants, concurrentGateways, (one) => variantRow(one, options), onRow),
    /** Requirements that can be failed and that no fault breaks. */
    unbroken: requirements()
      .filter((row) => isGatingLevel(row.level) && row.excluded === undefined)
      .map((row) => row.id)
      .filter((id) => !broken.has(id)),
  };
}

export async function faultRow(fault: (typeof faults)[number], options: DetectOptions = {}) {
  const { id, title, breaks, anyOf } = fault;
  const { report, untrue } = await heldReport(fault, options);
  const found = blamed(report);
  const missed = breaks.filter((requirement) => !found.includes(requirement));
  return {
    id,
    title,
    breaks,
    blamed: found,
    /** Exit code 1, and a requirement that it breaks is among those that fail. */
    caught: report.verdict === 'non-conformant',
    collateral: found.filter((requirement) => !breaks.includes(requirement)),
    /** Broken and not blamed; none where one is and any is enough. */
    missed: anyOf && missed.length < breaks.length ? [] : missed,
    /** What the report says that is not so, and a first cause that does not name what is broken. */
    untrue,
  };
}

/** What the suite says of a conformant gateway. */
export async function variantRow(variant: (typeof variants)[number], options: DetectOptions = {}) {
  const { report, untrue } = await heldReport(variant, options);
  const open = report.requirements.filter(isGating);
  return {
    id: variant.id,
    title: variant.title,
    verdict: report.verdict,
    blamed: blamed(report),
    /** Stated or derived requirements that could not be judged, the non-gating ones apart. */
    open: open.map(({ id }) => id),
    /** What the report says that is not so, and causes that speak of the target. */
    untrue,
  };
}
