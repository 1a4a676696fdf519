import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { UsageError } from '../../../fixtures/target/errors.ts';
import { variantById } from '../../../fixtures/variants/index.ts';
import { certificateText, createEnvelope, readCertificate } from '../../../reporters/certificate/envelope.ts';
import { statementOf } from '../../../reporters/certificate/statement.ts';
import { outcomeOf, type Verification } from '../../../reporters/certificate/verification.ts';
import { createRedactor } from '../../../suites/wire/redaction/redact.ts';
import { renderings } from '../../files/artefacts.ts';
import { listBundle } from '../../certificate/bundle.ts';
import { edit, editReport, flip, oneModel, openBundleFolder } from '../../certificate/certificate.fixture.ts';
import { certify, type CertifySettings } from '../../certificate/certify.ts';
import { loadPublicKey, loadSigningKey } from '../../certificate/keys.ts';
import { readReport, rejudge } from '../../run/rejudge.ts';
import { call, type Ended } from '../../command.fixture.ts';
import { verify } from '../../api/verify.ts';
import { verifyBundle } from '../../certificate/verify-bundle.ts';

const bundles = openBundleFolder();

const key = bundles.key('ours');
let signed: Ended & { readonly dir: string };

beforeAll(async () => {
  await call(['keygen', '--out', key]);
  await call(['keygen', '--out', bundles.key('theirs')]);
  const run = (name: string) =>
    bundles.run(name, { args: ['--sign', `${key}.pem`], allure: true, config: oneModel });
  signed = await run('signed');
  // A busy machine may leave a stream without its timing, and then nothing is certified.
  if (!existsSync(join(signed.dir, 'certificate.json'))) signed = await run('signed-again');
  // Hundreds of results more would only be copied again and again.
  const results = join(signed.dir, 'allure-results');
  for (const name of readdirSync(results).slice(10)) rmSync(join(results, name));
  certifyAgain(signed.dir);
});

/** What whoever holds the key can do: another certificate for what lies there now. */
function certifyAgain(dir: string, settings: CertifySettings = { key: loadSigningKey(`${key}.pem`) }): void {
  const { run } = rejudge(join(dir, 'evidence.jsonl'));
  const io = { target: run.header.target, redactor: createRedactor([]) };
  expect(certify(dir, io, settings).kind).toBe('certified');
}

const publicKey = () => loadPublicKey(`${key}.pub.pem`);
const wrongOf = ({ steps }: Verification): string[] => steps.flatMap(({ problems }) => problems);

describe('a bundle', () => {
  test('without a signature verifies and says so, but not where a key is named', async () => {
    const unsigned = bundles.copy(signed.dir);
    certifyAgain(unsigned, {});
    const plain = await call(['verify', unsigned]);
    expect(plain.code).toBe(0);
    expect(plain.stdout).toContain('UNSIGNED');
    const keyed = await call(['verify', unsigned, '--key', `${key}.pub.pem`]);
    expect(keyed.code).toBe(1);
    expect(keyed.stdout).toContain('the bundle is unsigned, and --key names a key');
  });
});

describe('for programs', () => {
  const apart = (dir: string, name?: string) => {
    const options = name === undefined ? {} : { key: `${bundles.key(name)}.pub.pem` };
    const { integrity, signature, conformance, exitCode } = verify(dir, options);
    return [integrity, signature, conformance, exitCode];
  };

  test('integrity, signature and conformance are told apart', () => {
    expect(apart(signed.dir, 'ours')).toEqual(['intact', 'valid', 'conformant', 0]);
    expect(apart(signed.dir)).toEqual(['intact', 'unchecked', 'conformant', 0]);
    expect(apart(signed.dir, 'theirs')).toEqual(['intact', 'wrong', 'conformant', 1]);
    const plain = bundles.plainCopy(signed.dir);
    expect(apart(plain)).toEqual(['intact', 'none', 'conformant', 0]);
    editReport(plain, (report) => ({ ...report, verdict: 'inconclusive' }));
    expect(apart(plain)).toEqual(['changed', 'none', 'unknown', 1]);
    const other = bundles.plainCopy(signed.dir);
    for (const name of ['report.json', 'evidence.jsonl'])
      edit(other, name, (text) => text.replace(/("version": ?)"[^"]+"/, '$1"0.0.1"'));
    expect(apart(other)).toEqual(['undecided', 'none', 'unknown', 3]);
  });

  test('a certificate of another format is for the version that gave it: a usage error', () => {
    const dir = bundles.copy(signed.dir);
    const { statement } = readCertificate(readFileSync(join(dir, 'certificate.json')));
    const older = { ...statement, predicateType: 'urn:inference-gateway-conformance:certificate:2' };
    const envelope = createEnvelope(older as unknown as typeof statement);
    writeFileSync(join(dir, 'certificate.json'), certificateText(envelope));
    expect(() => verify(dir)).toThrow(UsageError);
    expect(() => verify(dir)).toThrow('is a certificate of format 2');
  });
});

describe('a changed bundle is found', () => {
  test.each([
    ['certificate.json', 0],
    ['certificate.json', 0.5],
    ['evidence.jsonl', 0.7],
  ] as const)('one bit of %s, at %d of its length', (name, part) => {
    const dir = bundles.copy(signed.dir);
    flip(join(dir, name), part);
    expect(outcomeOf(verifyBundle(dir, publicKey()))).toBe('refuted');
  });

  test('a file that is missing, one that was added, a link, a folder in the place of a file', () => {
    const dir = bundles.copy(signed.dir);
    rmSync(join(dir, 'report.md'));
    writeFileSync(join(dir, 'allure-results', 'more.txt'), '');
    symlinkSync('/dev/zero', join(dir, 'link'));
    rmSync(join(dir, 'junit.xml'));
    mkdirSync(join(dir, 'junit.xml'));
    expect(wrongOf(verifyBundle(dir, publicKey()))).toEqual(
      expect.arrayContaining([
        'report.md is missing',
        'allure-results/more.txt was added',
        'link is neither a file nor a folder',
        'junit.xml is missing',
      ]),
    );
  });

  test('a certificate of another run, and a key of somebody else', async () => {
    const dir = bundles.copy(signed.dir);
    const { statement } = readCertificate(readFileSync(join(dir, 'certificate.json')));
    const { subject, predicate } = statement;
    const swapped = {
      ...statement,
      subject: subject.map((file) => ({ ...file, digest: { sha256: '0'.repeat(64) } })),
      predicate: { ...predicate, runId: 'another' },
    };
    const theirs = createEnvelope(swapped, loadSigningKey(`${bundles.key('theirs')}.pem`));
    writeFileSync(join(dir, 'certificate.json'), certificateText(theirs));
    const wrong = wrongOf(verifyBundle(dir)).join('\n');
    expect(wrong).toContain('evidence.jsonl was changed');
    expect(wrong).toContain('runId: certificate.json has "another"');
    const { code, stdout } = await call(['verify', dir, '--key', `${key}.pub.pem`]);
    expect(code).toBe(1);
    expect(stdout).toContain('it is not of the key ');
  });
});

describe('a report that does not follow from its evidence is found, whatever the certificate says', () => {
  test('a verdict that was edited', async () => {
    const dir = bundles.plainCopy(signed.dir);
    editReport(dir, (report) => ({
      ...report,
      requirements: report.requirements.map((row) =>
        row.id === 'chat.result.usage.total-tokens' ? { ...row, verdict: 'fail' } : row,
      ),
    }));
    const { code, stdout } = await call(['verify', dir]);
    expect(code).toBe(1);
    expect(stdout).toContain(
      'requirement chat.result.usage.total-tokens, verdict: report.json has "fail", the evidence "pass"',
    );
  });

  test('an exchange that was removed from the evidence', () => {
    const dir = bundles.plainCopy(signed.dir);
    edit(dir, 'evidence.jsonl', (text) =>
      text
        .split('\n')
        .filter((line) => !line.startsWith('{"kind":"exchange","id":"chat.accept-any"'))
        .join('\n'),
    );
    expect(wrongOf(verifyBundle(dir))).toEqual(
      expect.arrayContaining([
        'exchange chat.accept-any: in report.json, but not in the evidence',
        'the evidence has no exchange for chat.accept-any, which was planned',
      ]),
    );
  });

  test('a reply that was edited in the evidence', () => {
    const dir = bundles.plainCopy(signed.dir);
    edit(dir, 'evidence.jsonl', (text) => text.replace('"status":200', '"status":500'));
    expect(outcomeOf(verifyBundle(dir))).toBe('refuted');
  });

  test('a page that says something else than report.json', () => {
    const dir = bundles.plainCopy(signed.dir);
    edit(dir, 'report.md', (text) => `${text}\nAnd fast, too.\n`);
    expect(wrongOf(verifyBundle(dir))).toEqual(['report.md is not what report.json gives']);
  });

  test('by whoever holds the key, too', () => {
    const dir = bundles.copy(signed.dir);
    const before = readFileSync(join(dir, 'certificate.json'), 'utf8');
    certifyAgain(dir);
    expect(readFileSync(join(dir, 'certificate.json'), 'utf8')).toBe(before);
    editReport(dir, (report) => ({ ...report, observations: report.observations.slice(1) }));
    for (const [name, render] of renderings(readReport(dir).report)) writeFileSync(join(dir, name), render());
    const { predicate } = readCertificate(Buffer.from(before)).statement;
    const statement = statementOf(listBundle(dir).files, predicate);
    const forged = createEnvelope(statement, loadSigningKey(`${key}.pem`));
    writeFileSync(join(dir, 'certificate.json'), certificateText(forged));
    const { signed: state, steps } = verifyBundle(dir, publicKey());
    expect(state).toBe('valid');
    expect(steps.filter(({ problems }) => problems.length > 0).map(({ name }) => name)).toContain('Verdicts');
  });

  test('where nothing was changed the folder agrees, and is said not to be certified', async () => {
    const dir = bundles.plainCopy(signed.dir);
    const { code, stdout } = await call(['verify', dir]);
    expect(code).toBe(0);
    expect(stdout).toContain('NOT CERTIFIED');
    const keyed = await call(['verify', dir, '--key', `${key}.pub.pem`]);
    expect(keyed.code).toBe(1);
  });
});

describe('another version of the suite', () => {
  /** As if an older suite, which judged one thing otherwise, had written the folder. */
  function aged(): string {
    const dir = bundles.plainCopy(signed.dir);
    const old = (text: string) => text.replace(/("?version"?: ?)"[^"]+"/, '$1"0.0.1"');
    edit(dir, 'evidence.jsonl', old);
    editReport(dir, (report) => ({
      ...report,
      suite: { ...report.suite, version: '0.0.1' },
      requirements: report.requirements.map((row) =>
        row.id === 'chat.result.usage.total-tokens' ? { ...row, verdict: 'inconclusive' } : row,
      ),
    }));
    return dir;
  }

  test('leaves it undecided, and says which verdicts differ: exit code 3', async () => {
    const { code, stdout } = await call(['verify', aged()]);
    expect(code).toBe(3);
    expect(stdout).toContain('by another suite: 0.0.1 (');
    expect(stdout).toContain(
      '~ requirement chat.result.usage.total-tokens, verdict: report.json has "inconclusive", the evidence "pass"',
    );
  });

  test('explains no page that says something else: it is left undecided', () => {
    const dir = aged();
    const found = ({ steps }: Verification) =>
      steps.flatMap(({ versionDifferences = [] }) => versionDifferences);
    edit(dir, 'report.html', () => '<h1>Certified for everything</h1>');
    const verification = verifyBundle(dir);
    expect(outcomeOf(verification)).toBe('undecided');
    expect(found(verification)).toContain('report.html is not what this suite makes of report.json');
  });

  test('explains no certificate for a report that none may be given for', () => {
    const dir = bundles.copy(signed.dir);
    const old = (text: string) => text.replace(/("?version"?: ?)"[^"]+"/, '$1"0.0.1"');
    edit(dir, 'evidence.jsonl', old);
    editReport(dir, (report) => ({
      ...report,
      suite: { ...report.suite, version: '0.0.1' },
      scope: { ...report.scope, selection: { suites: ['errors'] } },
    }));
    expect(wrongOf(verifyBundle(dir))).toContain('it is not justified: only a part was run: remove --suite');
  });

  test('explains no exchange that vanished', () => {
    const dir = aged();
    edit(dir, 'evidence.jsonl', (text) => text.replace(/^\{"kind":"exchange".*\n/m, ''));
    expect(outcomeOf(verifyBundle(dir))).toBe('refuted');
  });

  test('is told by `judge` where no verdict differs, and where there is no report to compare with', async () => {
    const dir = aged();
    const { report } = readReport(signed.dir);
    editReport(dir, ({ suite }) => ({ ...report, suite }));
    const beside = await call(['judge', dir]);
    expect(beside.stdout).toMatch(/Recorded by the suite 0\.0\.1 \(.*\), judged here by /);
    expect(beside.stdout).toContain('The verdicts in report.json are the same.');
    rmSync(join(dir, 'report.json'));
    const alone = await call(['judge', dir]);
    expect(alone.stdout).toContain('Recorded by the suite 0.0.1 (');
  });

  test('is told by `judge`, too', async () => {
    const { code, stdout } = await call(['judge', aged()]);
    expect(code).toBe(0);
    expect(stdout).toContain('differs from the evidence, because the suite changed: 0.0.1 (');
    expect(stdout).toContain(
      'requirement chat.result.usage.total-tokens, verdict: the report has "inconclusive"',
    );
  });
});

describe('what can not be read is a usage error', () => {
  test.each([
    [
      'an exchange that stands twice',
      'evidence.jsonl',
      (text: string) => text.replace(/^(\{"kind":"exchange".*\n)/m, '$1$1'),
      'appears twice; the evidence was changed',
    ],
    [
      'a second header',
      'evidence.jsonl',
      (text: string) => text.replace(/^(.*\n)/, '$1$1'),
      'a line of kind header does not belong here',
    ],
    [
      'a line behind the end',
      'evidence.jsonl',
      (text: string) => `${text}{"kind":"unsent","id":"a","unsent":{"kind":"stopped"}}\n`,
      'a line of kind unsent does not belong here',
    ],
    [
      'a selection that is none',
      'evidence.jsonl',
      (text: string) => text.replace('"suites":[]', '"suites":5'),
      'not a line of evidence',
    ],
    ['a report that is not JSON', 'report.json', () => '{', 'is not JSON'],
    ['a report that is none', 'report.json', () => '{}', 'is not a report ('],
  ])('%s', (_, name, change, message) => {
    const dir = bundles.plainCopy(signed.dir);
    edit(dir, name, change);
    expect(() => verifyBundle(dir)).toThrow(UsageError);
    expect(() => verifyBundle(dir)).toThrow(message);
  });
});

describe('a bundle of a run that sent controls again', () => {
  let dir: string;
  beforeAll(async () => {
    const { hooks = {} } = variantById('refusal.no-channel') ?? {};
    const scope = ['--suite', 'families', '--family', 'general', '--family', 'conversational'];
    ({ dir } = await bundles.run('again', { fast: true, certified: false, hooks, args: scope }));
  }, 60_000);

  test('verifies', () => {
    const verification = verifyBundle(dir);
    expect(wrongOf(verification)).toEqual([]);
    expect(readReport(dir).report.exchanges.map(({ id }) => id)).toContain('cell.general.chat.default~2');
  });

  test('does not where one of them is removed, or is said to repeat what was not planned', () => {
    const removed = bundles.copy(dir);
    edit(removed, 'evidence.jsonl', (text) => text.replace(/.*"id":"cell.general.chat.default~2".*\n/, ''));
    expect(wrongOf(verifyBundle(removed))).toContainEqual(
      expect.stringMatching(/^exchange cell.general.chat.default~2: in report.json, but not in the evidence/),
    );
    const renamed = bundles.copy(dir);
    edit(renamed, 'evidence.jsonl', (text) =>
      text.replaceAll('"repeats":"cell.general.chat.default"', '"repeats":"made.up"'),
    );
    expect(wrongOf(verifyBundle(renamed))).toContainEqual(
      'the evidence holds cell.general.chat.default~2, which was not planned',
    );
  });
});
