import type { CauseKind, ReportCause } from '../../suites/types/cause.ts';
import type { Report } from '../../suites/types/report.ts';
import { detect, type DetectOptions, type Subject } from '../detect.ts';
import { ofAnswers, untrueKept } from './answers.ts';
import { untrueCells } from './cells.ts';
import { ofEndpoints } from './endpoints.ts';
import { experimentsOn, type Holds, type Known } from './experiments.ts';
import { ofRefusals } from './refusals.ts';
import { untrueRetries, ofUndecided, untrueReasons } from './undecided.ts';
import { isAnswered, stringsIn, witness, type Witnessed } from './witness.ts';
import { protocols } from '../../spec/vocabulary.ts';

const holds: Readonly<Record<CauseKind, Holds>> = {
  ...ofEndpoints,
  ...ofRefusals,
  ...ofAnswers,
  ...ofUndecided,
};

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
  const untrue = (await holds[cause.kind](cause, known)) ?? untrueKept(cause, known);
  return untrue === undefined ? [] : [`${cause.summary} — ${untrue}`];
}

/** Judges a gateway and holds what the report says to what the gateway did and does. */
export async function heldReport(
  subject: Subject & { readonly breaks?: readonly string[] },
  options: DetectOptions = {},
) {
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

const longestOf = (one: Witnessed): number => Math.max(0, ...stringsIn(one).map(({ length }) => length));

/** The lengths of texts that a report says are refused, and are not. */
const untrueLimits = ({ report, witness }: Known): readonly string[] =>
  (report.textLimits ?? []).flatMap(({ protocol, refused, answered }) => {
    const lawful = witness.seen.filter((one) => one.protocol === protocol && one.worth === 'lawful');
    const isRefused = !lawful.some((one) => longestOf(one) >= refused && isAnswered(one));
    const isTaken = lawful.some((one) => longestOf(one) === answered && isAnswered(one));
    return isRefused && isTaken ? [] : [`${protocol} does not refuse texts from ${refused} characters on`];
  });

/** Which of the requirements that a fault breaks may have a cause of this kind, and what it is about. */
function fits({ id, kind }: ReportCause, broken: string): boolean {
  const [, about = ''] = id.split(/:(.*)/s);
  const [protocol = '', ...rest] = about.split('.');
  const names = rest.join('.').split('+');
  switch (kind) {
    case 'endpoint-absent':
    case 'endpoint-unanswered':
      return broken === `${about}.endpoint` || (broken.startsWith('family.') && broken.endsWith(`.${about}`));
    case 'token-not-accepted':
      return broken.startsWith(`${about}.auth.`) || broken === `${about}.endpoint`;
    case 'family-not-served':
      return broken.startsWith('family.') || protocols.some((each) => broken === `${each}.endpoint`);
    case 'stream-not-offered':
      return /\.stream\.|\.param\.stream\./.test(broken);
    case 'parameter-not-supported':
      return (
        names.some((each) => broken.startsWith(`${protocol}.param.${each}.`)) ||
        !/\.param\.|\.endpoint$|^family\./.test(broken)
      );
    case 'text-refused':
      return /\.(messages|input|prompt)\.accepted$|\.output\.intact$/.test(broken);
    case 'result-field-broken':
    case 'requirement-broken':
      return broken === about;
    case 'not-refused':
      return !/\.result\.|\.accepted$|^\w+\.stream\.|\.endpoint$/.test(broken);
    case 'no-usable-reply':
    case 'no-answer-in-time':
      return /\.stream\.|\.endpoint$|^service\./.test(broken);
    default:
      return false;
  }
}

/** Why the first cause of a report does not name what the fault broke; undefined where it does. */
function firstCauseMisses({ causes = [] }: Report, breaks: readonly string[]): string | undefined {
  const [first] = causes;
  if (first === undefined) return 'there is no cause';
  const own = first.requirements.filter((id) => breaks.includes(id));
  if (own.length === 0) return `${first.id} explains nothing that the fault breaks`;
  return own.some((id) => fits(first, id)) ? undefined : `${first.id} is not what breaks ${own.join(', ')}`;
}
