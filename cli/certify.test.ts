import { execFile, execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readCertificate } from '../reporters/certificate/read.ts';
import { outcomeOf, renderVerification, type Verification } from '../reporters/certificate/verification.ts';
import { packageFile } from '../spec/package-root.ts';
import type { Report } from '../suites/model/report.ts';
import { hostileName, openWorkshop, secrets } from './certificate.fixture.ts';
import { verifyBundle } from './commands/verify.ts';
import { loadPublicKey } from './keys.ts';
import { command, type Ended } from './test-command.ts';

const workshop = openWorkshop();
afterAll(workshop.close);

const key = workshop.key('ours');
let signed: Ended & { readonly dir: string };
let unsigned: string;

beforeAll(async () => {
  await command(['keygen', '--out', key]);
  await command(['keygen', '--out', workshop.key('theirs')]);
  const named = (yaml: string) =>
    yaml.replace('name: Reference gateway', `name: ${JSON.stringify(hostileName)}`);
  signed = await workshop.run('signed', { args: ['--sign', `${key}.pem`], config: named });
  unsigned = workshop.copy(signed.dir);
  edit(unsigned, 'certificate.json', (text) => text.replace(/"signatures": \[[^\]]*\]/, '"signatures": []'));
}, 60_000);

function edit(dir: string, name: string, change: (text: string) => string): void {
  const file = join(dir, name);
  const before = readFileSync(file, 'utf8');
  const after = change(before);
  if (after === before) throw new Error(`nothing was changed in ${name}`);
  writeFileSync(file, after);
}

/** Changes one bit of the byte at a part of the file. */
function flip(file: string, part: number): void {
  const bytes = readFileSync(file);
  const at = Math.min(bytes.length - 1, Math.floor(bytes.length * part));
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(file, bytes);
}

/** A change to the report, so that nothing but its content gives it away. */
const editReport = (dir: string, change: (report: Report) => Report): void =>
  edit(dir, 'report.json', (text) => `${JSON.stringify(change(JSON.parse(text) as Report), null, 2)}\n`);

const publicKey = () => loadPublicKey(`${key}.pub.pem`);
const wrongOf = ({ steps }: Verification): string[] => steps.flatMap(({ wrong }) => wrong);
const without = (dir: string): string => {
  rmSync(join(dir, 'certificate.json'));
  return dir;
};

describe('a certified run', () => {
  test('is given a certificate: exit code 0, and its path is told', () => {
    expect(signed.stderr).toBe('');
    expect(signed.code).toBe(0);
    expect(signed.stdout).toContain(
      `Certified: ${join(signed.dir, 'certificate.json')} (signed with the key `,
    );
    expect(signed.stdout.trimEnd().split('\n').at(-1)).toBe(join(signed.dir, 'report.html'));
  });

  test('lists every other file of DIR, sorted, and covers everything', () => {
    const { statement } = readCertificate(readFileSync(join(signed.dir, 'certificate.json'), 'utf8'));
    const names = readdirSync(signed.dir, { recursive: true, encoding: 'utf8' })
      .filter((name) => lstatSync(join(signed.dir, name)).isFile() && name !== 'certificate.json')
      .sort();
    expect(statement.subject.map(({ name }) => name)).toEqual(names);
    expect(names.length).toBeGreaterThan(100);
    expect(statement.predicate.notCovered).toEqual([]);
    expect(statement.predicate.target.name).toBe(hostileName);
  });

  test('is verified: exit code 0, and no text of the target steers the terminal or the CI runner', async () => {
    const { code, stdout, stderr } = await command(['verify', signed.dir, '--key', `${key}.pub.pem`]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.trimEnd().split('\n').at(-1)).toBe('Verified: certified, and signed with this key.');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what must not be there
    expect(stdout + signed.stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]|^::/m);
  });

  test('holds no token: not in target.json, not in the payload, not in any file', () => {
    const envelope = JSON.parse(readFileSync(join(signed.dir, 'certificate.json'), 'utf8')) as {
      payload: string;
    };
    const texts = [
      Buffer.from(envelope.payload, 'base64').toString('utf8'),
      ...readdirSync(signed.dir, { recursive: true, encoding: 'utf8' })
        .map((name) => join(signed.dir, name))
        .filter((file) => lstatSync(file).isFile())
        .map((file) => readFileSync(file, 'utf8')),
    ];
    for (const secret of secrets) expect(texts.some((text) => text.includes(secret))).toBe(false);
    const target = JSON.parse(readFileSync(join(signed.dir, 'target.json'), 'utf8')) as { tokens: object };
    expect(target.tokens).toEqual({
      default: 'GATEWAY_TOKEN_DEFAULT',
      'coding-tool': 'GATEWAY_TOKEN_CODING_TOOL',
      'third-party-client': 'GATEWAY_TOKEN_THIRD_PARTY_CLIENT',
      'rate-limited': 'GATEWAY_TOKEN_RATE_LIMITED',
    });
  });

  test('without a key is unsigned: it verifies and says so, but not where a key is named', async () => {
    const plain = await command(['verify', unsigned]);
    expect(plain.code).toBe(0);
    expect(plain.stdout).toContain('UNSIGNED');
    const keyed = await command(['verify', unsigned, '--key', `${key}.pub.pem`]);
    expect(keyed.code).toBe(1);
    expect(keyed.stdout).toContain('the bundle is unsigned, and a key was named');
  });

  test('verifies without the key, and says that the signature was not checked', () => {
    const verification = verifyBundle(signed.dir);
    expect(outcomeOf(verification)).toBe('verified');
    expect(renderVerification(verification)).toContain('NOT CHECKED');
  });

  test('can be checked with openssl, jq and coreutils, by the commands of the documentation', async () => {
    const doc = readFileSync(packageFile('docs/certificate.md'), 'utf8');
    const scripts = [...doc.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, script = '']) => script);
    expect(scripts).toHaveLength(5);
    const sh = (script: string, cwd: string, name = 'ours') =>
      promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
        cwd,
        env: { ...process.env, KEY: `${workshop.key(name)}.pub.pem` },
      });
    const [keyid = '', signature = '', digests = '', additions = '', words = ''] = scripts;
    for (const script of scripts) await sh(script, signed.dir);
    expect(JSON.parse((await sh(words, signed.dir)).stdout)).toMatchObject({ verdict: 'conformant' });
    await expect(sh(keyid, signed.dir, 'theirs')).rejects.toThrow();
    await expect(sh(signature, signed.dir, 'theirs')).rejects.toThrow();
    const changed = workshop.copy(signed.dir);
    flip(join(changed, 'report.html'), 0.5);
    writeFileSync(join(changed, 'extra.txt'), '');
    await expect(sh(digests, changed)).rejects.toThrow('sha256sum');
    await expect(sh(additions, changed)).rejects.toMatchObject({
      stdout: expect.stringContaining('extra.txt'),
    });
  });

  test('signs what openssl signs alike', () => {
    const { envelope } = readCertificate(readFileSync(join(signed.dir, 'certificate.json'), 'utf8'));
    const payload = Buffer.from(envelope.payload, 'base64');
    const file = workshop.key('signed-bytes');
    const head = `DSSEv1 28 application/vnd.in-toto+json ${payload.length} `;
    writeFileSync(file, Buffer.concat([Buffer.from(head), payload]));
    const sig = execFileSync('openssl', ['pkeyutl', '-sign', '-inkey', `${key}.pem`, '-rawin', '-in', file]);
    expect(envelope.signatures[0]?.sig).toBe(sig.toString('base64'));
  });
});

describe('a changed bundle is found', () => {
  const tops = [
    'certificate.json',
    'evidence.jsonl',
    'junit.xml',
    'report.html',
    'report.json',
    'report.md',
    'target.json',
  ];

  test.each(tops.flatMap((name) => [0, 0.37, 0.99999].map((part) => [name, part] as const)))(
    'one bit of %s, at %d of its length',
    (name, part) => {
      const dir = workshop.copy(signed.dir);
      flip(join(dir, name), part);
      expect(outcomeOf(verifyBundle(dir, publicKey()))).toBe('refuted');
    },
  );

  test('one bit of each file of allure-results: every one is named', () => {
    const dir = workshop.copy(signed.dir);
    const names = readdirSync(join(dir, 'allure-results'));
    for (const name of names) flip(join(dir, 'allure-results', name), 0.5);
    const wrong = wrongOf(verifyBundle(dir, publicKey()));
    expect(wrong).toHaveLength(names.length);
    for (const name of names) {
      expect(wrong).toContain(`allure-results/${name} was changed: its digest is another`);
    }
  });

  test('a file that is missing, one that was added, a link, a folder in the place of a file', () => {
    const dir = workshop.copy(signed.dir);
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
    const dir = workshop.copy(signed.dir);
    const other = await workshop.run('other', { args: ['--sign', `${workshop.key('theirs')}.pem`] });
    writeFileSync(join(dir, 'certificate.json'), readFileSync(join(other.dir, 'certificate.json')));
    const wrong = wrongOf(verifyBundle(dir)).join('\n');
    expect(wrong).toContain('evidence.jsonl was changed');
    expect(wrong).toContain('runId: certificate.json has');
    const { code, stdout } = await command(['verify', other.dir, '--key', `${key}.pub.pem`]);
    expect(code).toBe(1);
    expect(stdout).toContain('it is not of the key ');
  });
});

describe('a report that does not follow from its evidence is found, whatever the certificate says', () => {
  test('a verdict that was edited', async () => {
    const dir = without(workshop.copy(signed.dir));
    editReport(dir, (report) => ({
      ...report,
      requirements: report.requirements.map((row) =>
        row.id === 'chat.result.usage.total-tokens' ? { ...row, verdict: 'fail' } : row,
      ),
    }));
    const { code, stdout } = await command(['verify', dir]);
    expect(code).toBe(1);
    expect(stdout).toContain(
      'requirement chat.result.usage.total-tokens, verdict: report.json has "fail", the evidence "pass"',
    );
  });

  test('an exchange that was removed from the evidence', () => {
    const dir = without(workshop.copy(signed.dir));
    edit(dir, 'evidence.jsonl', (text) =>
      text
        .split('\n')
        .filter((line) => !line.startsWith('{"kind":"exchange","id":"chat.plain.after"'))
        .join('\n'),
    );
    expect(wrongOf(verifyBundle(dir))).toEqual(
      expect.arrayContaining([
        'exchange chat.plain.after: in report.json, but not in the evidence',
        'the evidence holds nothing of chat.plain.after, which was planned',
      ]),
    );
  });

  test('an exchange that was removed from the report', () => {
    const dir = without(workshop.copy(signed.dir));
    editReport(dir, (report) => ({ ...report, exchanges: report.exchanges.slice(1) }));
    const gone = (JSON.parse(readFileSync(join(signed.dir, 'report.json'), 'utf8')) as Report).exchanges[0];
    expect(wrongOf(verifyBundle(dir))).toContain(
      `exchange ${gone?.id}: not in report.json, but in the evidence`,
    );
  });

  test('a reply that was edited in the evidence', () => {
    const dir = without(workshop.copy(signed.dir));
    edit(dir, 'evidence.jsonl', (text) => text.replace('"status":200', '"status":500'));
    expect(outcomeOf(verifyBundle(dir))).toBe('refuted');
  });

  test('a page that says something else than report.json', () => {
    const dir = without(workshop.copy(signed.dir));
    edit(dir, 'report.md', (text) => `${text}\nAnd fast, too.\n`);
    expect(wrongOf(verifyBundle(dir))).toEqual(['report.md is not what report.json gives']);
  });

  test('where nothing was changed the folder agrees, and is said not to be certified', async () => {
    const dir = without(workshop.copy(signed.dir));
    const { code, stdout } = await command(['verify', dir]);
    expect(code).toBe(0);
    expect(stdout).toContain('NOT CERTIFIED');
    const keyed = await command(['verify', dir, '--key', `${key}.pub.pem`]);
    expect(keyed.code).toBe(1);
  });
});

describe('another version of the suite', () => {
  /** As if an older suite, which judged one thing otherwise, had written the folder. */
  function aged(): string {
    const dir = without(workshop.copy(signed.dir));
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
    const { code, stdout } = await command(['verify', aged()]);
    expect(code).toBe(3);
    expect(stdout).toContain('by another suite: 0.0.1 (');
    expect(stdout).toContain(
      '~ requirement chat.result.usage.total-tokens, verdict: report.json has "inconclusive", the evidence "pass"',
    );
  });

  test('explains no exchange that vanished', () => {
    const dir = aged();
    edit(dir, 'evidence.jsonl', (text) => text.replace(/^\{"kind":"exchange".*\n/m, ''));
    expect(outcomeOf(verifyBundle(dir))).toBe('refuted');
  });

  test('is told by `judge`, too', async () => {
    const { code, stdout } = await command(['judge', aged()]);
    expect(code).toBe(0);
    expect(stdout).toContain('differs, because the suite changed: 0.0.1 (');
    expect(stdout).toContain(
      'requirement chat.result.usage.total-tokens, verdict: the report has "inconclusive"',
    );
  });
});

describe('what can not be read is exit code 2', () => {
  test.each([
    [
      'evidence that is not JSON',
      'evidence.jsonl',
      (text: string) => text.replace('{"kind":"unsent"', '{'),
      'not JSON',
    ],
    [
      'an exchange that stands twice',
      'evidence.jsonl',
      (text: string) => text.replace(/^(\{"kind":"exchange".*\n)/m, '$1$1'),
      'stands twice; the evidence was changed',
    ],
    [
      'a second header',
      'evidence.jsonl',
      (text: string) => text.replace(/^(.*\n)/, '$1$1'),
      'a header does not belong here',
    ],
    [
      'a line behind the end',
      'evidence.jsonl',
      (text: string) => `${text}{"kind":"unsent","id":"a","unsent":"b"}\n`,
      'a unsent does not belong here',
    ],
    [
      'a selection that is none',
      'evidence.jsonl',
      (text: string) => text.replace('"suites":[]', '"suites":5'),
      'not a line of evidence',
    ],
    ['a report that is not JSON', 'report.json', () => '{', 'is not JSON'],
    ['a report that is none', 'report.json', () => '{}', 'is not a report ('],
  ])('%s', async (_, name, change, message) => {
    const dir = without(workshop.copy(signed.dir));
    edit(dir, name, change);
    const { code, stdout, stderr } = await command(['verify', dir]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  test.each([
    ['no folder', ['verify', 'absent'], 'absent: is no folder'],
    ['an empty folder', ['verify', '.'], "report.json: can't be read (ENOENT)"],
    [
      'a key that is absent',
      ['verify', '.', '--key', 'absent.pem'],
      "--key absent.pem: can't be read (ENOENT)",
    ],
    ['a private key', ['verify', '.', '--key', `${key}.pem`], 'is a private key; name the public one'],
    [
      'a public key to sign with',
      ['run', '--certify', '--sign', `${key}.pub.pem`],
      'is a public key; name the private one',
    ],
    ['a key without --certify', ['run', '--sign', `${key}.pem`], '--sign signs a certificate: add --certify'],
    [
      'a key in the report folder',
      ['run', '--certify', '--sign', 'out/k.pem', '--out', 'out'],
      'lies in the report folder',
    ],
    ['a key over another', ['keygen', '--out', key], 'exists already and is left as it is'],
    ['a key where no folder is', ['keygen', '--out', 'absent/key'], "can't be written (ENOENT)"],
  ])('%s', async (_, args, message) => {
    const cwd = join(workshop.folder, 'nothing');
    mkdirSync(cwd, { recursive: true });
    const { code, stdout, stderr } = await command(args, { cwd });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
  });

  test('a key of another kind', async () => {
    const rsa = workshop.key('rsa.pem');
    execFileSync('openssl', [
      'genpkey',
      '-algorithm',
      'EC',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-out',
      rsa,
    ]);
    const { code, stderr } = await command(['run', '--certify', '--sign', rsa]);
    expect(code).toBe(2);
    expect(stderr).toContain('is not an Ed25519 key');
  });
});

describe('keygen', () => {
  test('writes a private key that only its owner reads, and nothing where the other half would be lost', async () => {
    expect(statSync(`${key}.pem`).mode & 0o777).toBe(0o600);
    const half = workshop.key('half');
    writeFileSync(`${half}.pub.pem`, 'mine');
    const { code } = await command(['keygen', '--out', `${half}.pem`]);
    expect(code).toBe(2);
    expect(existsSync(`${half}.pem`)).toBe(false);
    expect(readFileSync(`${half}.pub.pem`, 'utf8')).toBe('mine');
  });

  test('makes keys that openssl reads', () => {
    const text = execFileSync('openssl', ['pkey', '-in', `${key}.pem`, '-pubout'], { encoding: 'utf8' });
    expect(text).toBe(readFileSync(`${key}.pub.pem`, 'utf8'));
  });
});

describe('no certificate is given', () => {
  test('where streams came too fast to judge: exit code 3, the report is there, and the way out is told', async () => {
    const { code, stderr, dir } = await workshop.run('fast', { fast: true });
    expect(code).toBe(3);
    expect(stderr).toContain('no certificate is given:');
    expect(stderr).toMatch(
      /chat\.stream\.incremental was not judged: .*; run against a model that takes its time/,
    );
    expect(existsSync(join(dir, 'report.html'))).toBe(true);
    expect(existsSync(join(dir, 'certificate.json'))).toBe(false);
    expect(existsSync(join(dir, 'target.json'))).toBe(false);
  });

  test('for a part of the suite, and the certificate of an earlier run does not stay', async () => {
    const dir = workshop.copy(signed.dir);
    const { code, stderr } = await workshop.run('part', { args: ['--suite', 'errors', '--out', dir] });
    expect(code).toBe(3);
    expect(stderr).toContain('only a part was run: leave out --suite');
    expect(existsSync(join(dir, 'certificate.json'))).toBe(false);
  });

  test('to a target that is not conformant: exit code 1', async () => {
    const { code, stderr, dir } = await workshop.run('bad', {
      fast: true,
      config: (yaml) => yaml.replace('image: "image-1"', 'image: "g-large"'),
    });
    expect(code).toBe(1);
    expect(stderr).toContain('the target is not conformant');
    expect(existsSync(join(dir, 'certificate.json'))).toBe(false);
  });
});

test('what a target does not declare is outside the certificate, and named in it', async () => {
  const { code, dir, stderr } = await workshop.run('narrow', {
    config: (yaml) => yaml.replace(/^ {2}(rate-limited|image|chat-image):.*\n/gm, ''),
  });
  expect(stderr).toBe('');
  expect(code).toBe(0);
  const { statement } = readCertificate(readFileSync(join(dir, 'certificate.json'), 'utf8'));
  const outside = statement.predicate.notCovered.map(({ requirement }) => requirement);
  expect(outside).toContain('images.endpoint');
  expect(statement.predicate.scope.rateLimited).toBe(false);
  expect(statement.predicate.summary.untested).toBeGreaterThanOrEqual(outside.length);
  expect(outcomeOf(verifyBundle(dir))).toBe('verified');
});
