import { rmSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { UsageError } from '../../fixtures/target/errors.ts';
import { certificationBlockers, coverageOf } from '../../reporters/certificate/coverage.ts';
import { certificateText, createEnvelope, keyId } from '../../reporters/certificate/envelope.ts';
import type { SigningKey } from '../../reporters/certificate/envelope.ts';
import {
  certificateFile,
  predicateOf,
  statementOf,
  targetFile,
} from '../../reporters/certificate/statement.ts';
import { firstLines } from '../../reporters/wording.ts';
import { jsonText } from '../../spec/json.ts';
import type { Redactor } from '../../suites/wire/redaction/redact.ts';
import { listBundle } from './bundle.ts';
import type { EvidenceHeader } from '../files/evidence-file.ts';
import { type ExitCode, exitCodes } from '../exit.ts';
import { type Folder, isArtefact, writeWhole } from '../files/folder.ts';
import { writeReport } from '../files/artefacts.ts';
import { readRenderContext } from '../files/render-context.ts';
import { isRepeated } from '../files/repeated-folder.ts';
import { coversLines } from '../../reporters/certificate/covers.ts';
import { loadSigningKey } from './keys.ts';
import { verifyBundle } from './verify-bundle.ts';
import type { FinalReport } from '../run/run-inputs.ts';
import { readReport } from '../run/rejudge.ts';
import type { RunOptions } from '../options/run-options.ts';

/** A certificate is asked for; without a key it stays unsigned. */
export interface CertifySettings {
  readonly key?: SigningKey;
}

/** What came of it: the certificate, or why there is none. */
export type Certification =
  | {
      readonly kind: 'certified';
      readonly file: string;
      /** What it covers and what not, with a label each. */
      readonly covers: ReturnType<typeof coversLines>;
    }
  | { readonly kind: 'refused'; readonly blockers: readonly string[] };

const isInside = (dir: string, file: string): boolean =>
  `${resolve(dirname(file))}${sep}`.startsWith(`${resolve(dir)}${sep}`);

/** The key, read before anything is sent; undefined where no certificate is asked for. Throws UsageError for one in DIR. */
export function certifySettings(
  { certify, sign }: Pick<RunOptions, 'certify' | 'sign'>,
  dir: string | undefined,
) {
  if (certify !== true) {
    if (sign !== undefined) throw new UsageError('--sign signs a certificate: add --certify');
    return undefined;
  }
  if (dir === undefined) throw new UsageError('--certify certifies a report folder: name one with --out DIR');
  if (sign === undefined) return {};
  if (isInside(dir, sign)) {
    throw new UsageError(`--sign ${sign}: is in the report folder and would be published with it; move it`);
  }
  return { key: loadSigningKey(sign) };
}

const foreignText = (dir: string, name: string): string =>
  `--out ${dir}: holds ${name}, which no run writes, and a certificate covers all that lies there; move it, or name another folder with --out DIR`;

/** A certificate covers all of DIR. Throws UsageError where DIR holds a file that no run writes, and none can check. */
export function refuseForeign({ path, foreign }: Pick<Folder, 'path' | 'foreign'>): void {
  const [name] = foreign();
  if (name !== undefined) throw new UsageError(foreignText(path, name));
}

/** Certifies DIR, or returns why not; all is written by then. Throws Error where a file of it holds a token. */
export function certify(
  dir: string,
  run: { readonly target: EvidenceHeader['target']; readonly redactor: Redactor },
  { key }: CertifySettings,
): Certification {
  const { target, redactor } = run;
  // As it was written: what is certified is what others read.
  const { report } = readReport(dir);
  const coverage = coverageOf(report);
  const blockers = certificationBlockers(report, coverage);
  if (blockers.length > 0) return { kind: 'refused', blockers };
  const context = readRenderContext(dir)?.context ?? {};
  const signer = key === undefined ? {} : { keyid: keyId(key.publicKey) };
  const withdraw = (): void => {
    for (const name of [targetFile, certificateFile]) rmSync(join(dir, name), { force: true });
    writeReport(dir, report, redactor, context);
  };
  const isOfSeveral = isRepeated(dir);
  // As the bundle carries it: variables of tokens, never values.
  writeWhole(join(dir, targetFile), redactor.text(jsonText(target)));
  try {
    writeReport(dir, report, redactor, { ...context, certificate: { keyid: signer.keyid ?? null } });
    const { files, otherEntries } = listBundle(dir, (name, content) => {
      if (!isArtefact(name, isOfSeveral)) throw new UsageError(foreignText(dir, name));
      const [leak] = redactor.leaks(Buffer.concat([...content]));
      if (leak !== undefined) throw new UsageError(`${name} holds the token ${leak}: nothing was certified`);
    });
    const [other] = otherEntries;
    if (other !== undefined) throw new UsageError(`${dir}: ${other}: nothing was certified`);
    const statement = statementOf(files, predicateOf(report, coverage.notCovered));
    const file = join(dir, certificateFile);
    writeWhole(file, certificateText(createEnvelope(statement, key)));
    // Nobody is given what `verify` would refuse.
    const problems = verifyBundle(dir, key?.publicKey).steps.flatMap((step) => step.problems);
    if (problems.length === 0)
      return { kind: 'certified', file, covers: coversLines(report, signer.keyid ?? unsignedText) };
    withdraw();
    return { kind: 'refused', blockers: problems };
  } catch (error) {
    withdraw();
    throw error;
  }
}

/** The certificate of a run that is written, where one is asked for, and the exit code with it. Throws as `certify` does. */
export function certified(
  { report, exitCode }: Pick<FinalReport, 'report' | 'exitCode'>,
  { dir, ...run }: Parameters<typeof certify>[1] & { readonly dir: string | undefined },
  settings: CertifySettings | undefined,
): { readonly certification: Certification | undefined; readonly exitCode: ExitCode } {
  if (dir === undefined || settings === undefined) return { certification: undefined, exitCode };
  const certification = certify(dir, run, settings);
  if (certification.kind === 'certified' || exitCode !== exitCodes.conformant)
    return { certification, exitCode };
  // What is asked for and not given is never exit code 0; a baseline may expect what it can't be given for.
  const { nonConformant, notJudged } = exitCodes;
  return { certification, exitCode: report.verdict === 'non-conformant' ? nonConformant : notJudged };
}

const unsignedText = 'none: it is unsigned; name a key with --sign KEY.pem';

/** Reasons that are printed; a run of a part of the suite has hundreds. */
const mostReasons = 20;

/** The outcome in words; holds text of the target, unescaped. */
export function describeCertification(certification: Certification): string {
  if (certification.kind === 'certified') {
    const lines = certification.covers.map(([label, text]) => `${label.padEnd(12)} ${text}`);
    return [`Certified: ${certification.file}`, ...lines].join('\n  ');
  }
  return ['not certified:', ...firstLines(certification.blockers, mostReasons)].join('\n  ');
}
