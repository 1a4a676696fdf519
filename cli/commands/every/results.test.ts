import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { faultById } from '../../../fixtures/faults/index.ts';
import { edit, editReport, oneModel, openBundleFolder } from '../../certificate/certificate.fixture.ts';
import { call } from '../../command.fixture.ts';

const bundles = openBundleFolder();

const results = join(bundles.folder, 'results');
const place = (release: string): string => join(results, '1', release);
const readme = (expires = '2999-01-01') =>
  `# A gateway\n\nConsent: Jane Doe, 2026-11-01\nExpires: ${expires}\n\n## How to reproduce\n\n\`gateway\`\n`;

function put(release: string, dir: string): void {
  mkdirSync(place(release), { recursive: true });
  cpSync(dir, join(place(release), 'bundle'), { recursive: true });
  writeFileSync(join(place(release), 'README.md'), readme());
}

beforeAll(async () => {
  const key = bundles.key('ours');
  await call(['keygen', '--out', key]);
  const args = ['--sign', `${key}.pem`];
  const good = await bundles.run('good', { args, config: oneModel });
  const { hooks = {} } = faultById('chat.result.usage.total-tokens.missing') ?? {};
  const named = (yaml: string) => oneModel(yaml).replace('Reference gateway', 'Faulty gateway');
  const faulty = await bundles.run('faulty', { fast: true, certified: false, config: named, hooks });
  put('reference/1.0', good.dir);
  put('faulty/1.0', faulty.dir);
  cpSync(`${key}.pub.pem`, join(results, '1/reference/key.pub.pem'));
  const url = 'https://tracker.example.com/1';
  const links = `links: [{ product: faulty, requirement: chat.result.usage.total-tokens, url: "${url}" }]\n`;
  writeFileSync(join(results, 'links.yaml'), links);
}, 120_000);

const check = (dir = results) => call(['results', 'check', dir]);

/** Checks a copy of the list that was changed. */
function changed(change: (path: (name: string) => string) => void) {
  const dir = bundles.copy(results);
  change((name) => join(dir, '1', name));
  return check(dir);
}

test('a list of results is accepted, conformant ones and others, and the site of it begins with what differs', async () => {
  const { code, stdout, stderr } = await check();
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(
    /^✓ 1\/faulty\/1\.0 {2}not conformant; .*\n✓ 1\/reference\/1\.0 {2}conformant; .*; signed\n/,
  );
  const out = join(bundles.folder, 'site');
  expect((await call(['site', '--results', results, '--out', out])).code).toBe(0);
  const page = readFileSync(join(out, 'index.html'), 'utf8');
  expect(page.indexOf('id="differs"')).toBeLessThan(page.indexOf('id="products"'));
  expect(page.indexOf('id="products"')).toBeLessThan(page.indexOf('id="all-runs"'));
  expect(page).toContain('href="https://tracker.example.com/1"');
  expect(page).toContain('multimodal models only; groups: default');
  expect(existsSync(join(out, 'verify.html'))).toBe(true);
});

test.each<[string, (path: (name: string) => string) => void, string]>([
  [
    'file that came',
    (path) => writeFileSync(path('faulty/1.0/bundle/notes.txt'), ''),
    'notes.txt is no file of a run',
  ],
  [
    'consent that went',
    (path) => writeFileSync(path('faulty/1.0/README.md'), '# A gateway\n'),
    'has no consent of the owner',
  ],
  [
    'expiry',
    (path) => writeFileSync(path('faulty/1.0/README.md'), readme('2026-11-02')),
    'it expired after 2026-11-02',
  ],
])('a changed %s is refused, exit code 1', async (_, change, problem) => {
  if (!existsSync(`${bundles.key('theirs')}.pub.pem`)) await call(['keygen', '--out', bundles.key('theirs')]);
  const { code, stdout } = await changed(change);
  expect(stdout).toContain(problem);
  expect(code).toBe(1);
});

test('a run of a part is refused, and no site is made of the list', async () => {
  const { dir } = await bundles.run('part', {
    fast: true,
    certified: false,
    config: oneModel,
    args: ['--suite', 'errors'],
  });
  const list = bundles.copy(results);
  rmSync(join(list, '1/faulty/1.0/bundle'), { recursive: true });
  cpSync(dir, join(list, '1/faulty/1.0/bundle'), { recursive: true });
  expect((await check(list)).stdout).toContain('it is partial: only some suites were asked');
  const out = join(bundles.folder, 'no-site');
  expect((await call(['site', '--results', list, '--out', out])).code).toBe(1);
  expect(existsSync(out)).toBe(false);
});

test.each<[string, (path: (name: string) => string) => void, string]>([
  [
    'a bundle of other statements',
    (path) => renameSync(path('.'), join(dirname(path('.')), '2')),
    'was judged by version 1 of the statements',
  ],
  [
    'the same run as two releases',
    (path) => cpSync(path('faulty/1.0'), path('faulty/1.1'), { recursive: true }),
    'is the same run as',
  ],
])('%s is one error, exit code 2', async (_, change, message) => {
  const { code, stdout, stderr } = await changed(change);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(message);
});

test('what another version judged is not decided, and verify names what is known since: exit code 3', async () => {
  const list = bundles.copy(results);
  const bundle = join(list, '1/faulty/1.0/bundle');
  for (const name of ['report.json', 'evidence.jsonl'])
    edit(bundle, name, (text) => text.replace(/("version": ?)"[^"]+"/, '$1"0.0.1"'));
  editReport(bundle, (report) => ({
    ...report,
    requirements: report.requirements.map((row, at) =>
      at === 0 ? { ...row, statement: 'It was so.' } : row,
    ),
  }));
  const { code, stdout } = await check(list);
  expect(code).toBe(3);
  expect(stdout).toContain('suite 0.0.1 judged, and only that version can judge again');
  const errata = join(list, 'errata.yaml');
  const entry =
    '{ requirement: chat.result.usage.total-tokens, from: 0.0.1, until: 0.0.2, url: "https://e.com/1", error: "It failed.", holds: "It passes." }';
  writeFileSync(errata, `errata: [${entry}]\n`);
  const verified = await call(['verify', bundle, '--errata', errata]);
  expect(verified.code).toBe(3);
  expect(verified.stdout).toContain(
    'chat.result.usage.total-tokens (here: fail): It failed. What holds instead: It passes. https://e.com/1',
  );
  expect(verified.stdout).toContain('service.output: another statement');
  writeFileSync(errata, `errata: [${entry.replace('total-tokens', 'total-tokns')}]\n`);
  const refused = await call(['verify', bundle, '--errata', errata]);
  expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code: 2, stdout: '' });
  expect(refused.stderr).toContain(
    'errata.yaml:1: errata[0].requirement: unknown requirement "chat.result.usage.total-tokns"',
  );
});
