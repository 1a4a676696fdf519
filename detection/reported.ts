import type { Half, ReportedBug } from '../fixtures/faults/reported/report.ts';
import type { ReportedVariant } from '../fixtures/variants/reported/report.ts';
import { blamed, concurrently, detect, type DetectOptions } from './detect.ts';

export type BugRow = Awaited<ReturnType<typeof judgeBug>>;
export type BehaviourRow = Awaited<ReturnType<typeof judgeBehaviour>>;
export type ReportedRows = Awaited<ReturnType<typeof judgeReported>>;

/** Gateways under test at once: a slow or busy one mostly waits. */
const concurrentGateways = 4;

export async function judgeBug(kind: string, bug: ReportedBug, options: DetectOptions = {}) {
  const found = blamed(await detect(bug, options));
  return {
    kind,
    bug,
    blamed: found,
    /** At least one requirement that it breaks is failed. */
    caught: bug.breaks.some((id) => found.includes(id)),
    collateral: found.filter((id) => !bug.breaks.includes(id)),
  };
}

/** Runs the suite over the reported bugs and behaviours of the named halves. */
export async function judgeReported(
  bugs: Readonly<Record<string, readonly ReportedBug[]>>,
  variants: readonly ReportedVariant[],
  halves: readonly Half[],
  onRow: () => void = () => {},
) {
  const chosen = Object.entries(bugs).flatMap(([kind, all]) =>
    all.filter(({ half }) => halves.includes(half)).map((bug) => ({ kind, bug })),
  );
  const behaviours = variants.filter(({ half }) => halves.includes(half));
  return {
    bugs: await concurrently(chosen, concurrentGateways, ({ kind, bug }) => judgeBug(kind, bug), onRow),
    behaviours: await concurrently(behaviours, concurrentGateways, judgeBehaviour, onRow),
  };
}

/** What the suite says of a reported behaviour that is conformant. */
async function judgeBehaviour(variant: ReportedVariant) {
  return { variant, blamed: blamed(await detect(variant)) };
}
