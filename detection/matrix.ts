import { faults } from '../fixtures/faults/index.ts';
import { variants } from '../fixtures/variants/index.ts';
import { requirements } from '../spec/requirements.ts';
import { isGatingLevel } from '../spec/vocabulary.ts';
import { isGating } from '../suites/types/gating.ts';
import type { Report } from '../suites/types/report.ts';
import { blamed, concurrently, type DetectOptions } from './detect.ts';
import { heldReport } from './truth/untruths.ts';

export interface FaultRow {
  readonly id: string;
  readonly title: string;
  readonly breaks: readonly string[];
  readonly blamed: readonly string[];
  /** Exit code 1, and a requirement that it breaks is among those that fail. */
  readonly caught: boolean;
  readonly collateral: readonly string[];
  /** Requirements that are broken and not blamed; none where one is and any is enough. */
  readonly missed: readonly string[];
  /** What the report says that is not so, and a first cause that does not name what is broken. */
  readonly untrue: readonly string[];
}

/** What the suite says of a conformant gateway. */
export interface VariantRow {
  readonly id: string;
  readonly title: string;
  readonly verdict: Report['verdict'];
  readonly blamed: readonly string[];
  /** Stated or derived requirements that could not be judged, the non-gating ones apart. */
  readonly open: readonly string[];
  /** What the report says that is not so, and causes that speak of the target. */
  readonly untrue: readonly string[];
}

export interface DetectionMatrix {
  readonly faults: readonly FaultRow[];
  readonly variants: readonly VariantRow[];
  /** Requirements that can be failed and that no fault breaks. */
  readonly unbroken: readonly string[];
}

/** Gateways under test at once: a slow or busy one mostly waits. */
const concurrentGateways = 4;

/** Runs the suite over all faults and variants. A fault that a profile does not ask about is missed. */
export async function detectionMatrix(
  options: DetectOptions = {},
  onRow: () => void = () => {},
): Promise<DetectionMatrix> {
  const broken = new Set(faults.flatMap(({ breaks, anyOf }) => (anyOf ? [] : breaks)));
  return {
    faults: await concurrently(faults, concurrentGateways, (fault) => faultRow(fault, options), onRow),
    variants: await concurrently(variants, concurrentGateways, (one) => variantRow(one, options), onRow),
    unbroken: requirements()
      .filter((row) => isGatingLevel(row.level) && row.excluded === undefined)
      .map((row) => row.id)
      .filter((id) => !broken.has(id)),
  };
}

export async function faultRow(
  fault: (typeof faults)[number],
  options: DetectOptions = {},
): Promise<FaultRow> {
  const { id, title, breaks, anyOf } = fault;
  const { report, untrue } = await heldReport(fault, options);
  const found = blamed(report);
  const missed = breaks.filter((requirement) => !found.includes(requirement));
  return {
    id,
    title,
    breaks,
    blamed: found,
    caught: report.verdict === 'non-conformant',
    collateral: found.filter((requirement) => !breaks.includes(requirement)),
    missed: anyOf && missed.length < breaks.length ? [] : missed,
    untrue,
  };
}

export async function variantRow(
  variant: (typeof variants)[number],
  options: DetectOptions = {},
): Promise<VariantRow> {
  const { report, untrue } = await heldReport(variant, options);
  const open = report.requirements.filter(isGating);
  return {
    id: variant.id,
    title: variant.title,
    verdict: report.verdict,
    blamed: blamed(report),
    open: open.map(({ id }) => id),
    untrue,
  };
}
