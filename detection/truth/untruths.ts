import type { CauseKind, ReportCause } from '../../suites/types/cause.ts';
import type { Report } from '../../suites/types/report.ts';
import { detect, type DetectOptions, type Subject } from '../detect.ts';
import { ofAnswers } from './answers.ts';
import { untrueCells } from './cells.ts';
import { ofEndpoints } from './endpoints.ts';
import { experimentsOn } from './experiments.ts';
import { firstCauseMisses } from './first-cause.ts';
import type { Holds, Known } from './known.ts';
import { untrueLimits } from './limits.ts';
import { ofRefusals } from './refusals.ts';
import { untrueRetries } from './retries.ts';
import { ofUndecided, untrueReasons } from './undecided.ts';
import { witness } from './witness.ts';

const holds: Readonly<Record<CauseKind, Holds>> = {
  ...ofEndpoints,
  ...ofRefusals,
  ...ofAnswers,
  ...ofUndecided,
};

export interface HeldReport {
  readonly report: Report;
  readonly untrue: readonly string[];
}

/** Kinds of causes that speak of no failure of the target. */
const harmless: ReadonlySet<CauseKind> = new Set([
  'not-asked',
  'not-declared',
  'too-fast',
  'model-behaviour',
]);

/** What is untested for what the interface leaves open says nothing bad, either. */
const isHarmless = ({ kind, requirements }: ReportCause, { report }: Known): boolean =>
  harmless.has(kind) ||
  (kind === 'not-decided' &&
    report.requirements.every(({ id, verdict }) => !requirements.includes(id) || verdict === 'untested'));

async function untrueCause(cause: ReportCause, known: Known): Promise<readonly string[]> {
  if (known.breaks === undefined && !isHarmless(cause, known))
    return [`speaks of a conformant target: ${cause.summary}`];
  const untrue = await holds[cause.kind](cause, known);
  return untrue === undefined ? [] : [`${cause.summary} — ${untrue}`];
}

/** Judges a gateway and holds what the report says to what the gateway did and does. */
export async function heldReport(
  subject: Subject & { readonly breaks?: readonly string[] },
  options: DetectOptions = {},
): Promise<HeldReport> {
  const own = witness(subject);
  const report = await detect(own.subject, options);
  const experiments = await experimentsOn(subject);
  const known: Known = { report, witness: own, experiments, breaks: subject.breaks, subject };
  try {
    const causes = await Promise.all((report.causes ?? []).map((cause) => untrueCause(cause, known)));
    const head = subject.breaks && firstCauseMisses(report, subject.breaks);
    const untrue = [
      ...causes.flat(),
      ...(await untrueCells(known)),
      ...untrueRetries(known),
      ...untrueLimits(known),
      ...untrueReasons(known),
    ];
    return { report, untrue: head === undefined ? untrue : [`head: ${head}`, ...untrue] };
  } finally {
    await experiments.close();
  }
}
