import { execFile } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { defaultConsole } from '../../../fixtures/gateway/console.ts';
import { createGateway } from '../../../fixtures/gateway/gateway.ts';
import { faultById } from '../../../fixtures/faults/index.ts';
import { readCertificate } from '../../../reporters/certificate/envelope.ts';
import { outcomeOf, renderVerification } from '../../../reporters/certificate/verification.ts';
import { packageFile } from '../../../spec/package-root.ts';
import {
  edit,
  flip,
  hasTools,
  hostileName,
  oneModel,
  openBundleFolder,
  secrets,
  slow,
} from '../certificate.fixture.ts';
import { readReport } from '../../run/rejudge.ts';
import { verifyBundle } from '../verify-bundle.ts';
import { call, type Ended } from '../../command.fixture.ts';

const bundles = openBundleFolder();

const key = bundles.key('ours');
let signed: Ended & { readonly dir: string };

beforeAll(async () => {
  await call(['keygen', '--out', key]);
  await call(['keygen', '--out', bundles.key('theirs')]);
  const named = (yaml: string) =>
    yaml.replace('name: Reference gateway', `name: ${JSON.stringify(hostileName)}`);
  signed = await bundles.run('signed', {
    args: ['--sign', `${key}.pem`],
    allure: true,
    config: named,
  });
});

describe('shards that are merged', () => {
  const [shards, merged, unfinished] = [
    ['shard-1', 'shard-2'],
    join(bundles.folder, 'merged'),
    join(bundles.folder, 'unfinished'),
  ] as const;
  const dirs = shards.map((name) => join(bundles.folder, name));

  beforeAll(async () => {
    const { url, close } = await createGateway({ console: defaultConsole(), hooks: slow }).listen();
    const config = (yaml: string) => oneModel(yaml).replace(/baseUrl: .*/, `baseUrl: ${url}`);
    for (const [at, name] of shards.entries()) {
      const args = ['--shard', `${at + 1}/2`, '--seed', '7'];
      await bundles.run(name, { args, certified: false, config });
    }
    await close();
  });

  test('are certified as one run, and the certificate names each of them', async () => {
    const args = ['merge', ...dirs, '--out', merged, '--certify', '--sign', `${key}.pem`];
    const { code, stdout } = await call(args);
    expect(code).toBe(0);
    const ids = dirs.map((dir) => readReport(dir).report.run.id);
    expect(stdout).toContain(`merged of the runs ${ids.join(', ')}`);
    expect(readReport(merged).report.run.parts).toEqual(ids);
    const verified = await call(['verify', merged, '--key', `${key}.pub.pem`]);
    expect(verified.code).toBe(0);
    expect(verified.stdout).toContain(`merged of the runs ${ids.join(', ')}`);
  });

  test('get none where one of them was not finished: exit code 3', async () => {
    const cut = bundles.copy(dirs[1] ?? '');
    edit(cut, 'evidence.jsonl', (text) => `${text.trimEnd().split('\n').slice(0, -1).join('\n')}\n`);
    const { code, stderr } = await call(['merge', dirs[0] ?? '', cut, '--out', unfinished, '--certify']);
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining('not certified:') });
    expect(existsSync(join(unfinished, 'certificate.json'))).toBe(false);
  });
});

describe('a certified run', () => {
  test('is given a certificate: exit code 0, and its path is told', () => {
    expect(signed.stderr).toBe('');
    expect(signed.code).toBe(0);
    expect(signed.stdout).toContain(`Certified: ${join(signed.dir, 'certificate.json')}\n`);
    expect(signed.stdout).toMatch(
      /^ {2}Covers {7}(\d+) of \1 requirements, all model families; groups: .*; profile standard$/m,
    );
    expect(signed.stdout).toMatch(/^ {2}Key {10}[0-9a-f]{64}$/m);
    expect(signed.stdout.trimEnd().split('\n').at(-1)).toBe(join(signed.dir, 'report.html'));
  });

  test('lists every other file of DIR, sorted, and covers everything', () => {
    const { statement } = readCertificate(readFileSync(join(signed.dir, 'certificate.json')));
    const names = readdirSync(signed.dir, { recursive: true, encoding: 'utf8' })
      .filter((name) => lstatSync(join(signed.dir, name)).isFile() && name !== 'certificate.json')
      .sort();
    expect(statement.subject.map(({ name }) => name)).toEqual(names);
    expect(names.length).toBeGreaterThan(100);
    expect(statement.predicate.notCovered).toEqual([]);
    expect(statement.predicate.target.name).toBe(hostileName);
  });

  test('is verified: exit code 0, and no text of the target steers the terminal or the CI runner', async () => {
    const { code, stdout, stderr } = await call(['verify', signed.dir, '--key', `${key}.pub.pem`]);
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

  test.skipIf(!hasTools('bash', 'jq', 'openssl', 'sha256sum'))(
    'can be checked with openssl, jq and coreutils, by the commands of the documentation',
    async () => {
      const doc = readFileSync(packageFile('docs/certificate.md'), 'utf8');
      const scripts = [...doc.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, script = '']) => script);
      expect(scripts).toHaveLength(5);
      const sh = (script: string, cwd: string, name = 'ours') =>
        promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
          cwd,
          env: { ...process.env, KEY: `${bundles.key(name)}.pub.pem` },
        });
      const [keyid = '', signature = '', digests = '', additions = '', words = ''] = scripts;
      for (const script of scripts) await sh(script, signed.dir);
      expect(JSON.parse((await sh(words, signed.dir)).stdout)).toMatchObject({ verdict: 'conformant' });
      await expect(sh(keyid, signed.dir, 'theirs')).rejects.toThrow();
      await expect(sh(signature, signed.dir, 'theirs')).rejects.toThrow();
      const changed = bundles.copy(signed.dir);
      flip(join(changed, 'report.html'), 0.5);
      writeFileSync(join(changed, 'extra.txt'), '');
      await expect(sh(digests, changed)).rejects.toThrow('sha256sum');
      await expect(sh(additions, changed)).rejects.toMatchObject({
        stdout: expect.stringContaining('extra.txt'),
      });
    },
  );
});

test('judge writes nothing over what a certificate is given for', async () => {
  const { code, stderr } = await call(['judge', signed.dir, '--out', signed.dir]);
  expect(code).toBe(2);
  expect(stderr).toContain('name another folder');
  expect(outcomeOf(verifyBundle(signed.dir))).toBe('verified');
});

describe('no certificate is given', () => {
  test('where streams came too fast to judge: exit code 3, the report is there, and the way out is told', async () => {
    const { code, stderr, dir } = await bundles.run('fast', { fast: true, config: oneModel });
    expect(code).toBe(3);
    expect(stderr).toContain('not certified:');
    expect(stderr).toMatch(/chat\.stream\.incremental was not judged: .*; run against a slower model/);
    expect(existsSync(join(dir, 'report.html'))).toBe(true);
    expect(existsSync(join(dir, 'certificate.json'))).toBe(false);
    expect(existsSync(join(dir, 'target.json'))).toBe(false);
  });

  test('that `verify` would refuse: exit code 3, and the report is there without it', async () => {
    mkdirSync(join(bundles.folder, 'odd'));
    writeFileSync(join(bundles.folder, 'odd', 'history.jsonl'), '\n');
    const { code, stderr, dir } = await bundles.run('odd', { config: oneModel });
    expect(code).toBe(3);
    expect(stderr).toContain('not certified:\n  history.jsonl is not written as this suite writes it');
    expect(readdirSync(dir)).not.toEqual(expect.arrayContaining(['certificate.json', 'target.json']));
    expect(readFileSync(join(dir, 'report.html'), 'utf8')).not.toContain('class="certificate"');
    expect(outcomeOf(verifyBundle(dir))).toBe('verified');
  });

  test('for a part of the suite: that is a usage error, and nothing is sent', async () => {
    const { code, stderr, dir } = await bundles.run('part', { args: ['--suite', 'errors'] });
    expect(code).toBe(2);
    expect(stderr).toContain('--certify covers all that the target declares: leave out --suite');
    expect(existsSync(dir)).toBe(false);
  });

  test.each([[['--profile', 'smoke']], [['--skip-costly']], [['--profile', 'full', '--skip-costly']]])(
    'for %j, which leaves out what can fail: that is a usage error, and nothing is sent',
    async (args) => {
      const { code, stderr, dir } = await bundles.run('shallow', { args });
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr:
          'gateway-conformance: --certify asks for all that can fail: take --profile standard or full, and leave out --skip-costly\n',
      });
      expect(existsSync(dir)).toBe(false);
    },
  );

  test('to a run in DIR of an earlier one, whose certificate does not stay', async () => {
    const dir = bundles.copy(signed.dir);
    const { code } = await bundles.run('later', {
      fast: true,
      config: oneModel,
      args: ['--out', dir],
    });
    expect(code).toBe(3);
    expect(existsSync(join(dir, 'certificate.json'))).toBe(false);
  });

  test('to a target that is not conformant, though a baseline expects it: exit code 1', async () => {
    const baseline = join(bundles.folder, 'baseline.yaml');
    const id = 'chat.result.usage.total-tokens';
    writeFileSync(baseline, `expected: [{ requirement: ${id}, reason: known, expires: 2999-01-01 }]\n`);
    const { hooks } = faultById(`${id}.missing`) ?? {};
    const args = ['--baseline', baseline];
    const overrides = { fast: true, config: oneModel, args, ...(hooks ? { hooks } : {}) };
    const { code, stderr, dir } = await bundles.run('expected', overrides);
    expect(stderr).toContain('the target is not conformant');
    expect(code).toBe(1);
    expect(existsSync(join(dir, 'certificate.json'))).toBe(false);
  });

  test('to a target whose failures do not count: exit code 1, although it would be 0 otherwise', async () => {
    const { hooks } = faultById('chat.result.usage.total-tokens.missing') ?? {};
    const args = ['--fail-on', 'credential,lenient'];
    const { code, stderr, dir } = await bundles.run('uncounted', {
      fast: true,
      config: oneModel,
      args,
      ...(hooks ? { hooks } : {}),
    });
    expect(stderr).toContain('the target is not conformant');
    expect(code).toBe(1);
    expect((await call(['judge', dir, ...args])).code).toBe(0);
  });
});

test('a certificate is not asked for in a DIR that holds what no run writes: a usage error, and nothing is sent', async () => {
  const folder = join(bundles.folder, 'foreign');
  mkdirSync(folder);
  writeFileSync(join(folder, 'notes.txt'), 'mine');
  const { code, stderr } = await bundles.run('foreign', { config: oneModel });
  expect(code).toBe(2);
  expect(stderr).toContain('holds notes.txt, which no run writes');
  expect(readdirSync(folder)).toEqual(['notes.txt']);
});

test('what a target does not declare is named in the certificate and on the page; without Allure', async () => {
  const folder = join(bundles.folder, 'narrow');
  mkdirSync(folder);
  writeFileSync(join(folder, 'history.jsonl'), '');
  const { code, dir, stderr, stdout } = await bundles.run('narrow', {
    config: oneModel,
  });
  expect(stderr).toBe('');
  expect(code).toBe(0);
  const { statement } = readCertificate(readFileSync(join(dir, 'certificate.json')));
  const outside = statement.predicate.notCovered.map(({ requirement }) => requirement);
  expect(outside).toContain('images.endpoint');
  expect(statement.predicate.scope.rateLimited).toBe(false);
  expect(statement.predicate.summary.untested).toBeGreaterThanOrEqual(outside.length);
  expect(statement.subject.some(({ name }) => name.startsWith('allure-results'))).toBe(false);
  const words = `${statement.predicate.summary.pass} of ${statement.predicate.summary.pass + outside.length} requirements, multimodal models only; groups: default; profile standard`;
  const page = readFileSync(join(dir, 'report.html'), 'utf8');
  for (const text of [statement.predicate.covers, stdout, page, renderVerification(verifyBundle(dir))])
    expect(text).toContain(words);
  expect(page).toContain('The page alone proves nothing');
  expect(outcomeOf(verifyBundle(dir))).toBe('verified');
});
