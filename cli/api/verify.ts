import { existsSync, statSync } from 'node:fs';
import { UsageError } from '../../fixtures/target/errors.ts';
import type { Unchanged } from '../../reporters/report-queries.ts';
import { outcomeOf } from '../../reporters/certificate/verification.ts';
import { exitCodes } from '../exit.ts';
import { loadPublicKey } from '../certificate/keys.ts';
import { verifyBundle } from '../certificate/verify-bundle.ts';
import { signatureStepName } from '../certificate/verify-steps.ts';
import { checkedOptions, verifyChecks, type VerifyOptions } from '../options/run-options.ts';
import { type Erratum, erratumKeys, erratumProblem } from '../../spec/errata.ts';
import { entriesIn, readEntryText } from '../../fixtures/entry-list/read.ts';

const form = { keys: erratumKeys, isGiven: (text: string) => text.trim() !== '' };

/** Reads a file of errata, which may be newer than this version. Throws UsageError for whatever is wrong with it. */
function loadErrata(file: string): readonly Erratum[] {
  const text = readEntryText(
    file,
    'no such file of errata',
    'name a file like spec/errata.yaml of this package',
  );
  return entriesIn(file, text, 'errata', form).map(({ texts, error }) => {
    const found = erratumProblem(texts);
    if (found) throw error(found.key, found.problem, found.remedy);
    return texts as Erratum;
  });
}

/** What each outcome says of the files, and its exit code. */
const meanings = {
  verified: ['intact', exitCodes.conformant],
  refuted: ['changed', exitCodes.nonConformant],
  undecided: ['undecided', exitCodes.notJudged],
} as const;

/**
 * Checks a report folder: certificate, files, and the verdicts by the evidence. Needs no network.
 * @param dir that a run wrote
 * @throws UsageError where there is nothing that could be checked, or the key can't be used
 */
export function verify(dir: string, options: VerifyOptions = {}) {
  const { key: file, errata } = checkedOptions(options, verifyChecks);
  const key = file === undefined ? undefined : loadPublicKey(file);
  if (!existsSync(dir) || !statSync(dir).isDirectory()) {
    throw new UsageError(`${dir}: is no folder; name the DIR that \`run\` wrote`);
  }
  const verification = verifyBundle(dir, key, errata === undefined ? undefined : loadErrata(errata));
  const outcome = outcomeOf(verification);
  const { signed, steps, verdict = 'unknown' } = verification;
  const content = { ...verification, steps: steps.filter(({ name }) => name !== signatureStepName) };
  const integrity = meanings[outcomeOf(content)][0];
  return {
    /** Whether its files agree with each other: with the certificate where there is one, and with the evidence. */
    integrity,
    /** Whether it is signed with the key that was named; `none` where there is no certificate. */
    signature: signed,
    /** What the report says of the gateway; `unknown` where it is not shown to follow from the evidence. */
    conformance: integrity === 'intact' ? verdict : ('unknown' as const),
    /** `verified`: nothing disagrees; `undecided`: another version of the suite judged, and this one can't do so again. */
    outcome,
    exitCode: meanings[outcome][1],
    verification,
  };
}
/** What verifying a report folder came to. Three questions, and what all of them come to. */
export type VerifyResult = Unchanged<ReturnType<typeof verify>>;
