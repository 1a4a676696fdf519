import type { KeyObject } from 'node:crypto';
import { join } from 'node:path';
import {
  jsonIn,
  mostHistoryBytes,
  mostReportBytes,
  readBytes,
  readText,
  usualJson,
} from '../../fixtures/files/bounded.ts';
import { UsageError } from '../../fixtures/target/errors.ts';
import { coverageOf, certificationBlockers } from '../../reporters/certificate/coverage.ts';
import { describedBetween, differences } from '../../reporters/certificate/differences.ts';
import { type Envelope, signatureState, type Certificate } from '../../reporters/certificate/envelope.ts';
import {
  certificateFile,
  predicateOf,
  targetFile,
  subjectProblems,
} from '../../reporters/certificate/statement.ts';
import type { Step, Verification } from '../../reporters/certificate/verification.ts';
import { jsonText } from '../../spec/json.ts';
import { historyText, parseHistory } from '../../reporters/history.ts';
import { listBundle } from './bundle.ts';
import type { Content } from './verify-content.ts';

/** The step that asks for the signature; all others ask whether the files agree. */
export const signatureStepName = 'Signature';

export type SignatureStep = Step & { readonly signed: Verification['signed'] };

/** The signature, checked where there is a key. */
export function signatureStep({ envelope }: Certificate, key: KeyObject | undefined): SignatureStep {
  const state = signatureState(envelope, key);
  const step = (signed: Verification['signed'], detail: string, ...problems: string[]): SignatureStep => ({
    name: signatureStepName,
    signed,
    detail,
    problems,
    unchecked: signed !== 'valid',
  });
  switch (state.kind) {
    case 'valid':
      return step('valid', `valid, of the key ${state.keyid}`);
    case 'unsigned':
      if (key === undefined) return step('unsigned', 'none: the bundle is unsigned');
      return step('wrong', 'none', 'the bundle is unsigned, and --key names a key');
    case 'unchecked':
      return step('unchecked', `not checked; it claims the key ${state.keyids.join(', ')}`);
    case 'other-key':
      return step('wrong', `of the key ${state.keyids.join(', ')}`, `it is not of the key ${state.keyid}`);
    case 'invalid':
      return step('wrong', `of the key ${state.keyid}`, 'it is not valid: what was signed was changed');
    default:
      return state satisfies never;
  }
}

/** Whether a file has the form in which a run writes it; true for what is made again to the byte. */
function isAsWritten(file: string, name: string): boolean {
  if (name === 'history.jsonl') {
    const text = readText(file, mostHistoryBytes);
    return historyText(parseHistory(text)) === text;
  }
  if (!name.startsWith('allure-results/')) return true;
  const { value, text } = jsonIn({ file }, readBytes(file, mostReportBytes), usualJson);
  // Attachments are indented by one.
  return [0, 1].some((indent) => JSON.stringify(value, null, indent) === text);
}

/** What is wrong with a file that is neither judged again nor made again: what can still be told is its form. */
function formProblems(dir: string, name: string): readonly string[] {
  const file = join(dir, name);
  try {
    return isAsWritten(file, name) ? [] : [`${name} is not written as this suite writes it`];
  } catch (error) {
    return [`${name} can't be read as what it should be: ${(error as Error).message}`];
  }
}

/** The files of DIR, by their digests. Throws UsageError where they can't be read. */
export function filesStep(dir: string, { statement }: Certificate): Step {
  const { files, foreign, otherEntries } = listBundle(dir);
  const names = files.map(({ name }) => name);
  const listed = subjectProblems(statement.subject, files);
  return {
    name: 'Files',
    detail: `${statement.subject.length} are certified, ${files.length} are there`,
    problems: [
      ...listed,
      ...otherEntries,
      ...foreign.map((name) => `${name} is no file of a run, and nothing in it is checked`),
      ...(listed.length > 0 ? [] : names.flatMap((name) => formProblems(dir, name))),
    ],
  };
}

/** Whether target.json is what the evidence was recorded with, to the byte. */
function targetProblems({ dir, target }: Content): readonly string[] {
  try {
    const bytes = readBytes(join(dir, targetFile), mostReportBytes);
    const wanted = Buffer.from(jsonText(target));
    if (bytes.equals(wanted)) return [];
    const { value } = jsonIn({ file: targetFile }, bytes, usualJson);
    const found = differences(value, target);
    const described = found.map(describedBetween(targetFile, 'the evidence'));
    return described.length > 0 ? described : [`${targetFile} is not written as this suite writes it`];
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return [error.message];
  }
}

/** Whether the page names the key that signed: who takes the signatures away changes that, too. */
function markProblems({ read }: Content, signatures: Envelope['signatures']): readonly string[] {
  const mark = read?.context.certificate;
  if (mark === undefined) return ['report.html does not say what the certificate covers'];
  const keyids = signatures.map(({ keyid }) => keyid);
  if (mark.keyid === null ? keyids.length === 0 : keyids.includes(mark.keyid)) return [];
  return [
    `report.html names the key ${mark.keyid ?? 'none'}, and the certificate ${keyids.join(', ') || 'none'}`,
  ];
}

/** Whether the certificate says what report.json says, and could be given for it. */
export function certificateStep({ statement, envelope }: Certificate, content: Content): Step {
  const { report } = content;
  const { predicate } = statement;
  const coverage = coverageOf(report);
  const expected = predicateOf(report, coverage.notCovered);
  return {
    name: 'Certificate',
    detail: `${predicate.verdict}, run ${predicate.runId} of ${predicate.finishedAt}`,
    problems: [
      ...differences(predicate, expected).map(describedBetween(certificateFile, 'report.json')),
      ...certificationBlockers(report, coverage).map((why) => `it is not justified: ${why}`),
      ...targetProblems(content),
      ...markProblems(content, envelope.signatures),
    ],
  };
}
