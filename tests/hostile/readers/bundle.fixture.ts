import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openBundleFolder, oneModel } from '../../../cli/certificate/certificate.fixture.ts';
import { loadPublicKey, loadSigningKey } from '../../../cli/certificate/keys.ts';
import { verifyBundle } from '../../../cli/certificate/verify-bundle.ts';
import { listBundle } from '../../../cli/certificate/bundle.ts';
import { call } from '../../../cli/command.fixture.ts';
import { renderings } from '../../../cli/files/artefacts.ts';
import { readReport } from '../../../cli/run/rejudge.ts';
import { UsageError } from '../../../fixtures/target/errors.ts';
import { coverageOf } from '../../../reporters/certificate/coverage.ts';
import { certificateText, createEnvelope, type SigningKey } from '../../../reporters/certificate/envelope.ts';
import {
  type Predicate,
  predicateOf,
  type Statement,
  statementOf,
} from '../../../reporters/certificate/statement.ts';
import { outcomeOf } from '../../../reporters/certificate/verification.ts';

/** A good signed bundle, to be changed in copies. */
export interface GoodBundle {
  /** All that a run leaves, with ten files of allure-results/. */
  readonly whole: string;
  /** Only what is judged again: without renderings, which its signer need not give away. */
  readonly bare: string;
  readonly key: SigningKey;
  /** A copy, changed; with `sealed` by whoever holds the key, so that only the content can give it away. */
  readonly attacked: (from: string, change: (dir: string) => void, sealed: boolean) => string;
  /** `verified`, `refuted`, `undecided`, or the message of a usage error. */
  readonly outcome: (dir: string) => string;
  /** Another certificate for what lies there, whatever that is. */
  readonly seal: (dir: string, change?: (statement: Statement) => Statement) => void;
}

function predicateIn(dir: string, usual: Predicate): Predicate {
  try {
    const { report } = readReport(dir);
    return predicateOf(report, coverageOf(report).notCovered);
  } catch (error) {
    // What can't be read says nothing that a certificate could repeat.
    if (error instanceof UsageError) return usual;
    throw error;
  }
}

/** Makes the bundle that all attacks share. */
export async function goodBundle(): Promise<GoodBundle> {
  const bundles = openBundleFolder();
  const pem = bundles.key('ours');
  await call(['keygen', '--out', pem]);
  const run = (name: string) => {
    mkdirSync(join(bundles.folder, name));
    writeFileSync(join(bundles.folder, name, 'history.jsonl'), '');
    return bundles.run(name, { args: ['--sign', `${pem}.pem`], allure: true, config: oneModel });
  };
  let { dir: whole } = await run('whole');
  // A busy machine may leave a stream without its timing, and then nothing is certified.
  if (!existsSync(join(whole, 'certificate.json'))) whole = (await run('again')).dir;
  const results = join(whole, 'allure-results');
  for (const name of readdirSync(results).slice(10)) rmSync(join(results, name));
  const key = loadSigningKey(`${pem}.pem`);
  const usual = predicateIn(whole, {} as Predicate);
  const seal: GoodBundle['seal'] = (dir, change = (statement) => statement) => {
    const statement = statementOf(listBundle(dir).files, predicateIn(dir, usual));
    writeFileSync(join(dir, 'certificate.json'), certificateText(createEnvelope(change(statement), key)));
  };
  seal(whole);
  const bare = bundles.copy(whole);
  for (const name of [...renderings(readReport(bare).report).keys(), 'allure-results'])
    rmSync(join(bare, name), { recursive: true });
  seal(bare);
  const publicKey = loadPublicKey(`${pem}.pub.pem`);
  const copy = join(bundles.folder, 'attacked');
  return {
    whole,
    bare,
    key,
    attacked: (from, change, sealed) => {
      rmSync(copy, { recursive: true, force: true });
      cpSync(from, copy, { recursive: true });
      change(copy);
      if (sealed) seal(copy);
      return copy;
    },
    outcome: (dir) => {
      try {
        return outcomeOf(verifyBundle(dir, publicKey));
      } catch (error) {
        if (error instanceof UsageError) return error.message;
        throw error;
      }
    },
    seal,
  };
}

export const bytesOf = (dir: string, name: string): Buffer => readFileSync(join(dir, name));
export const textOf = (dir: string, name: string): string => readFileSync(join(dir, name), 'utf8');
