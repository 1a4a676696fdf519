import type { KeyObject } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../fixtures/target/errors.ts';
import { type Certificate, CertificateError, readCertificate } from '../../reporters/certificate/read.ts';
import { certificateFile } from '../../reporters/certificate/statement.ts';
import type { Step, Verification } from '../../reporters/certificate/verification.ts';
import { readBounded } from './bundle.ts';
import { readReport, rejudge } from '../run/rejudge.ts';
import {
  type Content,
  certificateStep,
  filesStep,
  renderingStep,
  signatureStep,
  verdictStep,
} from './verify-steps.ts';

/** The certificate of DIR, or what is wrong with it; neither where there is none. */
function openCertificate(dir: string): { readonly certificate?: Certificate; readonly problem?: string } {
  const file = join(dir, certificateFile);
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return {};
  try {
    return { certificate: readCertificate(readBounded(file)) };
  } catch (error) {
    if (error instanceof CertificateError)
      return { problem: `${certificateFile} is no certificate: ${error.message}` };
    throw error;
  }
}

/** What the certificate claims of DIR. */
function claimSteps(
  dir: string,
  key: KeyObject | undefined,
): {
  readonly certificate?: Certificate;
  readonly certified: boolean;
  readonly signed: Verification['signed'];
  readonly steps: readonly Step[];
} {
  const { certificate, problem } = openCertificate(dir);
  if (certificate !== undefined) {
    const signature = signatureStep(certificate, key);
    const steps = [signature, filesStep(dir, certificate)];
    return { certificate, certified: true, signed: signature.signed, steps };
  }
  const detail = problem === undefined ? 'none' : 'not readable';
  const found = problem ?? (key === undefined ? undefined : 'there is no certificate, and --key names a key');
  const step: Step = { name: 'Certificate', detail, problems: found === undefined ? [] : [found] };
  return { certified: problem !== undefined, signed: 'wrong', steps: found === undefined ? [] : [step] };
}

/** What report and evidence say, against each other and against the certificate. */
function contentSteps(dir: string, certificate: Certificate | undefined): { subject: string; steps: Step[] } {
  const { report, text } = readReport(dir);
  const content: Content = { dir, report, text, rejudged: rejudge(join(dir, 'evidence.jsonl')) };
  return {
    subject: `${report.target.name} at ${report.target.baseUrl}: ${report.verdict}`,
    steps: [
      ...(certificate ? [certificateStep(certificate, content)] : []),
      verdictStep(content),
      renderingStep(content),
    ],
  };
}

/**
 * Checks all that a DIR claims, with its evidence judged again.
 * @throws UsageError where there is nothing that could be checked
 */
export function verifyBundle(dir: string, key?: KeyObject): Verification {
  const { certificate, certified, signed, steps } = claimSteps(dir, key);
  try {
    const { subject, steps: more } = contentSteps(dir, certificate);
    return { subject, certified, signed, steps: [...steps, ...more] };
  } catch (error) {
    // What is known to be changed is no evidence; without that there is nothing to say.
    if (!(error instanceof UsageError) || !steps.some(({ problems }) => problems.length > 0)) throw error;
    const step: Step = { name: 'Verdicts', detail: 'not judged again', problems: [error.message] };
    return { subject: dir, certified, signed, steps: [...steps, step] };
  }
}
