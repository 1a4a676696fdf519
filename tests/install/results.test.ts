import { appendFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test, vi } from 'vitest';
import { oneModel, openBundleFolder } from '../../cli/certificate/certificate.fixture.ts';
import { call } from '../../cli/command.fixture.ts';
import { faultById } from '../../fixtures/faults/index.ts';
import { packageInfo, packageRoot } from '../../spec/package-root.ts';
import { mustRun } from './install.fixture.ts';

// A list of results with real gateways, which install from npm.

vi.setConfig({ testTimeout: 400_000, hookTimeout: 700_000 });

const examples = { aimock: '1.43.0', llms: '1.0.53', portkey: '1.15.2' };
const bundles = openBundleFolder();
const list = join(bundles.folder, 'results');
const words = '\nConsent: a test, 2026-11-01\nExpires: 2999-01-01\n\n## How to reproduce\n\nBy this test.\n';
const readme = (product: string, release: string) => join(list, '1', product, release, 'README.md');

function put(product: string, dir: string): void {
  const place = join(list, '1', product, packageInfo().version);
  mkdirSync(place, { recursive: true });
  cpSync(dir, join(place, 'bundle'), { recursive: true });
  writeFileSync(join(place, 'README.md'), words);
}

beforeAll(async () => {
  for (const name of Object.keys(examples))
    await mustRun(process.execPath, [join('examples', 'run.mjs'), name, '--results', list], {
      cwd: packageRoot,
    });
  const named = (yaml: string) => oneModel(yaml).replace('Reference gateway', 'Faulty gateway');
  const { hooks = {} } = faultById('chat.result.usage.total-tokens.missing') ?? {};
  put('reference', (await bundles.run('reference', { config: oneModel })).dir);
  put('faulty', (await bundles.run('faulty', { fast: true, certified: false, config: named, hooks })).dir);
});

test('three real gateways, the reference gateway and a faulty one make a list that is checked, and a site', async () => {
  const without = await call(['results', 'check', list]);
  expect(without.code).toBe(1);
  expect(without.stdout.match(/README\.md has no consent of the owner/g)).toHaveLength(3);
  expect(without.stdout).toContain('5 results: 3 refused.');

  for (const [name, release] of Object.entries(examples))
    appendFileSync(readme(name, release), '\nConsent: a test, 2026-11-01\n');
  const { code, stdout, stderr } = await call(['results', 'check', list]);
  expect(stdout).toContain('5 results, all as recorded.');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });

  const out = join(bundles.folder, 'site');
  expect((await call(['site', '--results', list, '--out', out])).code).toBe(0);
  const page = readFileSync(join(out, 'index.html'), 'utf8');
  const places = ['id="differs"', 'llms 1.0.53: 1', '<table', 'id="products"'].map((part) =>
    page.indexOf(part),
  );
  expect(places).toEqual([...places].sort((one, other) => one - other));
  expect(places).not.toContain(-1);
});
