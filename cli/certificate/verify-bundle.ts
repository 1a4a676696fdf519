import type { KeyObject } from 'node:crypto';
import { present } from '../../spec/present.ts';
import { existsSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { readBytes } from '../../fixtures/files/bounded.ts';
import { UsageError } from '../../fixtures/target/errors.ts';
import {
  type Certificate,
  CertificateError,
  mostCertificateBytes,
  OtherFormatError,
  readCertificate,
} from '../../reporters/certificate/envelope.ts';
import { type Erratum, errata } from '../../spec/errata.ts';
import { certificateFile } from '../../reporters/certificate/statement.ts';
import { type Step, type Verification, noticesOf } from '../../reporters/certificate/verification.ts';
import { coversLines } from '../../reporters/certificate/covers.ts';
import {
  type Content,
  contentOf,
  derivedStep,
  evidenceStep,
  renderingStep,
  reportAndEvidence,
  verdictStep,
} from './verify-content.ts';
import { certificateStep, filesStep, signatureStep } from './verify-steps.ts';
import { isJsonOf } from '../../spec/json.ts';
import { count } from '../../spec/text.ts';
import { evidenceIn } from '../files/evidence-file.ts';
import { isRepeated, runFolder } from '../files/repeated-folder.ts';
import { readReport, recordedDifferences, rejudge, rejudgeRuns } from '../run/rejudge.ts';

/** Checks a DIR that holds the evidence of one run, and gives that run, too. */
function checkedRun(dir: string) {
  const read = readReport(dir);
  const otherLines: number[] = [];
  const rejudged = rejudge(evidenceIn(dir), (line, number) => {
    if (!isJsonOf(line.value, line.text)) otherLines.push(number);
  });
  const content = contentOf(dir, read, { report: rejudged.report, target: rejudged.run.header.target });
  const recorded = recordedDifferences(content.report, rejudged).map(reportAndEvidence);
  const run = { ...content, rejudged, recorded, otherLines };
  return { content, rejudged, steps: [evidenceStep(run), verdictStep(run)] };
}

/** What came of checking one of several runs, as a step of the whole. */
function runStep(name: string, { content, steps }: ReturnType<typeof checkedRun>): Step {
  const all = [...steps, renderingStep(content, false)];
  return {
    name,
    detail: `${content.report.run.id}: ${all.map((step) => step.name.toLowerCase()).join(', ')}, checked as of a single run`,
    problems: all.flatMap(({ problems }) => problems),
    versionDifferences: all.flatMap(({ versionDifferences = [] }) => versionDifferences),
  };
}

/** Checks each run of a DIR that holds several as one is checked, and the report of all against them. */
function checkedRuns(dir: string) {
  const read = readReport(dir);
  const steps: Step[] = [];
  const all = rejudgeRuns(dir, (run) => {
    const checked = checkedRun(runFolder(dir, run));
    steps.push(runStep(`Run ${run}`, checked));
    return checked.rejudged;
  });
  const content = contentOf(dir, read, all);
  return { content, steps: [...steps, derivedStep(content, `made again of ${count(steps.length, 'run')}`)] };
}

/** The certificate of DIR, or what is wrong with it; neither where there is none. */
function openCertificate(dir: string): { readonly certificate?: Certificate; readonly problem?: string } {
  const file = join(dir, certificateFile);
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return {};
  try {
    return { certificate: readCertificate(readBytes(file, mostCertificateBytes)) };
  } catch (error) {
    if (error instanceof OtherFormatError) throw new UsageError(`${file}: ${error.message}`);
    if (error instanceof CertificateError)
      return { problem: `${certificateFile} is no certificate: ${error.message}` };
    throw error;
  }
}

/** What a certificate claims by itself, checked: its signature, and the files that it names. */
type Claim = Pick<Verification, 'certified' | 'signed' | 'steps'> & { readonly certificate?: Certificate };

function claimSteps(dir: string, key: KeyObject | undefined): Claim {
  const { certificate, problem } = openCertificate(dir);
  if (certificate !== undefined) {
    const signature = signatureStep(certificate, key);
    const steps = [signature, filesStep(dir, certificate)];
    return { certificate, certified: true, signed: signature.signed, steps };
  }
  const detail = problem === undefined ? 'none' : 'not readable';
  const found = problem ?? (key === undefined ? undefined : 'there is no certificate, and --key names a key');
  if (found === undefined) return { certified: false, signed: 'none', steps: [] };
  const step: Step = { name: 'Certificate', detail, problems: [found] };
  return { certified: problem !== undefined, signed: 'wrong', steps: [step] };
}

/** What of DIR is believed as it stands. */
const notChecked = ({ dir, report, read }: Content): readonly string[] =>
  present([
    report.interop && 'what official clients met: no evidence of it is kept',
    read?.context.history && 'the earlier runs in the trend: only their own folders show them',
    existsSync(join(dir, 'allure-results')) && 'allure-results/: its content is not made again',
  ]);

/** The key as the first screen names it. */
function keyText(certificate: Certificate | undefined, signed: Verification['signed']): string {
  const keyids = (certificate?.envelope.signatures ?? []).map(({ keyid }) => keyid).join(', ');
  if (certificate === undefined) return 'none: it is not certified';
  if (keyids === '') return 'none: the certificate is unsigned';
  return signed === 'valid' ? keyids : `${keyids}, as the certificate claims`;
}

/** Checks all that a DIR claims, with its evidence judged again. Throws UsageError where there is nothing to check. */
export function verifyBundle(
  dir: string,
  key?: KeyObject,
  known: readonly Erratum[] = errata(),
): Verification {
  const { certificate, steps, ...claim } = claimSteps(dir, key);
  try {
    const { content, steps: more } = isRepeated(dir) ? checkedRuns(dir) : checkedRun(dir);
    const { report, compared } = content;
    const ofCertificate = certificate ? [certificateStep(certificate, content)] : [];
    return {
      ...claim,
      subject: `${report.target.name} at ${report.target.baseUrl}: ${report.verdict}`,
      covers: coversLines(report, keyText(certificate, claim.signed)),
      notChecked: notChecked(content),
      notices: noticesOf(report, known, compared.sameSuite),
      verdict: report.verdict,
      steps: [...steps, ...ofCertificate, ...more, renderingStep(content, certificate !== undefined)],
    };
  } catch (error) {
    // What is known to be changed is no evidence; without that there is nothing to say.
    if (!(error instanceof UsageError) || !steps.some(({ problems }) => problems.length > 0)) throw error;
    const step: Step = { name: 'Verdicts', detail: 'not judged again', problems: [error.message] };
    return { ...claim, subject: dir, covers: [], notChecked: [], notices: [], steps: [...steps, step] };
  }
}
