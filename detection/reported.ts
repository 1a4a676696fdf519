import type { Half, Reported, ReportedBug } from '../fixtures/faults/reported/report.ts';
import type { ReportedVariant } from '../fixtures/variants/reported/report.ts';
import { blamed, concurrently, detect, type DetectOptions } from './detect.ts';

export type BugRow = Awaited<ReturnType<typeof judgeBug>>;
export type BehaviourRow = Awaited<ReturnType<typeof judgeBehaviour>>;
export type ReportedRows = Awaited<ReturnType<typeof judgeReported>>;

/** Gateways under test at once: a slow or busy one mostly waits. */
const concurrentGateways = 4;

export async function judgeBug(bug: ReportedBug, options: DetectOptions = {}) {
  const found = blamed(await detect(bug, options));
  return {
    bug,
    blamed: found,
    /** At least one requirement that it breaks is failed. */
    caught: bug.breaks.some((id) => found.includes(id)),
    collateral: found.filter((id) => !bug.breaks.includes(id)),
  };
}

/** Runs the suite over the reported bugs and behaviours of the named halves. */
export async function judgeReported(
  bugs: readonly ReportedBug[],
  variants: readonly ReportedVariant[],
  halves: readonly Half[],
  onRow: () => void = () => {},
) {
  const isAsked = ({ half }: Reported): boolean => halves.includes(half);
  return {
    bugs: await concurrently(bugs.filter(isAsked), concurrentGateways, (bug) => judgeBug(bug), onRow),
    behaviours: await concurrently(variants.filter(isAsked), concurrentGateways, judgeBehaviour, onRow),
  };
}

/** What the suite says of a reported behaviour that is conformant. */
async function judgeBehaviour(variant: ReportedVariant) {
  return { variant, blamed: blamed(await detect(variant)) };
}
