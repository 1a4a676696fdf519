import type { Half, ReportedBug } from '../fixtures/faults/reported/report.ts';
import type { ReportedVariant } from '../fixtures/variants/reported/report.ts';
import { blamed, concurrently, detect, type DetectOptions } from './detect.ts';

export interface BugRow {
  readonly kind: string;
  readonly bug: ReportedBug;
  readonly blamed: readonly string[];
  /** At least one requirement that it breaks is failed. */
  readonly caught: boolean;
  readonly collateral: readonly string[];
}

/** What the suite says of a reported behaviour that is conformant. */
export interface BehaviourRow {
  readonly variant: ReportedVariant;
  readonly verdict: string;
  readonly blamed: readonly string[];
}

export interface ReportedRows {
  readonly bugs: readonly BugRow[];
  readonly behaviours: readonly BehaviourRow[];
}

type Kinds<Each> = Readonly<Record<string, readonly Each[]>>;

/** Gateways under test at once: a slow or busy one mostly waits. */
const concurrentGateways = 4;

export async function judgeBug(kind: string, bug: ReportedBug, options: DetectOptions = {}): Promise<BugRow> {
  const found = blamed(await detect(bug, options));
  return {
    kind,
    bug,
    blamed: found,
    caught: bug.breaks.some((id) => found.includes(id)),
    collateral: found.filter((id) => !bug.breaks.includes(id)),
  };
}

/** Runs the suite over the reported bugs and behaviours of the named halves. */
export async function judgeReported(
  bugs: Kinds<ReportedBug>,
  variants: readonly ReportedVariant[],
  halves: readonly Half[],
  onRow: () => void = () => {},
): Promise<ReportedRows> {
  const chosen = Object.entries(bugs).flatMap(([kind, all]) =>
    all.filter(({ half }) => halves.includes(half)).map((bug) => ({ kind, bug })),
  );
  const behaviours = variants.filter(({ half }) => halves.includes(half));
  return {
    bugs: await concurrently(chosen, concurrentGateways, ({ kind, bug }) => judgeBug(kind, bug), onRow),
    behaviours: await concurrently(behaviours, concurrentGateways, judgeBehaviour, onRow),
  };
}

async function judgeBehaviour(variant: ReportedVariant): Promise<BehaviourRow> {
  const report = await detect(variant);
  return { variant, verdict: report.verdict, blamed: blamed(report) };
}
