import { rmSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { UsageError } from '../../fixtures/target/errors.ts';
import { certificationBlockers, coverageOf } from '../../reporters/certificate/coverage.ts';
import {
  certificateText,
  createEnvelope,
  keyId,
  type SigningKey,
} from '../../reporters/certificate/envelope.ts';
import {
  certificateFile,
  predicateOf,
  statementOf,
  targetFile,
} from '../../reporters/certificate/statement.ts';
import { firstLines } from '../../reporters/wording.ts';
import { jsonText } from '../../spec/json.ts';
import { count } from '../../spec/text.ts';
import type { Redactor } from '../../suites/wire/redaction/redact.ts';
import { listBundle } from './bundle.ts';
import type { EvidenceHeader } from '../files/evidence-file.ts';
import { isArtefact, writeWhole } from '../files/folder.ts';
import { loadSigningKey } from './keys.ts';
import { readReport } from '../run/rejudge.ts';

/** Options of `run` that ask for a certificate. */
export interface CertifyOptions {
  /** Also write a certificate; it is refused unless everything was judged. */
  readonly certify?: boolean;
  /** File of the private key that it is signed with. */
  readonly sign?: string;
}

/** A certificate is asked for; without a key it stays unsigned. */
export interface CertifySettings {
  readonly key?: SigningKey;
}

/** What came of it: the certificate, or why there is none. */
export type Certification =
  | {
      readonly kind: 'certified';
      readonly file: string;
      readonly keyid?: string;
      readonly notCovered: number;
      /** Files of DIR that no run writes. */
      readonly foreign: readonly string[];
    }
  | { readonly kind: 'refused'; readonly blockers: readonly string[] };

const isInside = (dir: string, file: string): boolean =>
  `${resolve(dirname(file))}${sep}`.startsWith(`${resolve(dir)}${sep}`);

/**
 * Reads the key before anything is sent; nothing where no certificate is asked for.
 * @param dir of the bundle, where the key must not lie
 * @throws UsageError where the key can't be used
 */
export function certifySettings(
  { certify, sign }: CertifyOptions,
  dir: string | undefined,
): CertifySettings | undefined {
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

/** The declaration of the target as the bundle carries it: variables of tokens, never values. */
const targetText = (target: EvidenceHeader['target'], redactor: Redactor): string =>
  redactor.text(jsonText(target));

/**
 * Certifies DIR, or returns why not. Call it after every other file of DIR is written: the certificate lists them all.
 * @throws Error where a file of DIR holds a token
 */
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
  writeWhole(join(dir, targetFile), targetText(target, redactor));
  try {
    const { files, otherEntries } = listBundle(dir, (name, content) => {
      const [leak] = redactor.leaks(content);
      if (leak !== undefined) throw new UsageError(`${name} holds the token ${leak}: nothing was certified`);
    });
    if (otherEntries.length > 0)
      throw new UsageError(`${otherEntries[0]} is neither a file nor a folder: nothing was certified`);
    const statement = statementOf(files, predicateOf(report, coverage.notCovered));
    const file = join(dir, certificateFile);
    writeWhole(file, certificateText(createEnvelope(statement, key)));
    const signer = key === undefined ? {} : { keyid: keyId(key.publicKey) };
    const foreign = files.map(({ name }) => name).filter((name) => !isArtefact(name));
    return { kind: 'certified', file, notCovered: coverage.notCovered.length, foreign, ...signer };
  } catch (error) {
    rmSync(join(dir, targetFile), { force: true });
    throw error;
  }
}

/** Reasons that are printed; a run of a part of the suite has hundreds. */
const mostReasons = 20;

/** The outcome in words; holds text of the target, unescaped. */
export function describeCertification(certification: Certification): string {
  if (certification.kind === 'certified') {
    const { file, keyid, notCovered, foreign } = certification;
    const signer =
      keyid === undefined ? 'unsigned: name a key with --sign KEY.pem' : `signed with the key ${keyid}`;
    const notCoveredText =
      notCovered === 0
        ? ''
        : `\n  ${notCovered} requirements are outside the declared scope; the certificate lists them`;
    const foreignText =
      foreign.length === 0
        ? ''
        : `\n  it covers ${count(foreign.length, 'file')} that this run did not write: ${foreign.slice(0, mostReasons).join(', ')}`;
    return `Certified: ${file} (${signer})${notCoveredText}${foreignText}`;
  }
  return ['not certified:', ...firstLines(certification.blockers, mostReasons)].join('\n  ');
}
