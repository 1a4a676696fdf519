import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../spec/package-root.ts';
import { loadBaseline } from '../../fixtures/baseline/baseline.ts';
import { loadTarget } from '../../fixtures/target/config.ts';
import { call } from '../command.fixture.ts';
import { presets } from '../options/options.ts';
import { testFolder } from '../folder.fixture.ts';

const folder = testFolder('init');

/** The schema that an editor takes for a config. */
const schemaOf = (file: string): string | undefined =>
  /^# yaml-language-server: \$schema=(\S+)$/m.exec(readFileSync(file, 'utf8'))?.[1];

test('the config names the schema of the installed package, from wherever in the project it lies', async () => {
  const project = join(folder, 'project');
  mkdirSync(join(project, 'node_modules'), { recursive: true });
  mkdirSync(join(project, 'deploy', 'staging'), { recursive: true });
  symlinkSync(packageRoot, join(project, 'node_modules', 'inference-gateway-conformance'));
  for (const [name, up] of [
    ['gateway.yaml', ''],
    ['deploy/staging/gateway.yaml', '../../'],
  ] as const) {
    const file = join(project, name);
    expect((await call(['init', '--out', file])).code).toBe(0);
    const schema = schemaOf(file) ?? '';
    expect(schema).toBe(`${up}node_modules/inference-gateway-conformance/fixtures/target/config.schema.json`);
    expect(existsSync(resolve(dirname(file), schema))).toBe(true);
  }
});

test('where the package is not installed beside it, the config says how an editor gets the schema', async () => {
  const file = join(folder, 'alone.yaml');
  expect((await call(['init', '--out', file])).code).toBe(0);
  expect(schemaOf(file)).toBeUndefined();
  expect(readFileSync(file, 'utf8')).toContain('where inference-gateway-conformance is installed next to it');
});

const env = Object.fromEntries(
  ['DEFAULT', 'CODING_TOOL', 'THIRD_PARTY_CLIENT'].map((group) => [
    `GATEWAY_TOKEN_${group}`,
    `token-${group}`,
  ]),
);

test.each(presets)(
  'the preset %s is a config, and a baseline whose entries have a reason and an address',
  async (preset) => {
    const dir = join(folder, preset);
    mkdirSync(dir);
    const file = join(dir, 'gateway.yaml');
    const { code, stdout } = await call(['init', '--preset', preset, '--out', file]);
    const baseline = join(dir, 'gateway-conformance.baseline.yaml');
    expect(code).toBe(0);
    expect(stdout).toContain(`run --config ${file} --baseline ${baseline}`);
    expect(loadTarget(file, env).baseUrl).toBe('https://gateway.example.com');
    const { entries } = loadBaseline(baseline);
    expect(entries.length).toBeGreaterThan(3);
    const today = new Date().toISOString().slice(0, 10);
    for (const { url, reason, expires } of entries) {
      expect(url).toMatch(/^https:/);
      expect(reason).not.toBe('');
      expect(expires > today).toBe(true);
    }
    const again = await call(['init', '--preset', preset, '--out', join(dir, 'other.yaml')]);
    expect(again.code).toBe(2);
    expect(again.stderr).toContain('gateway-conformance.baseline.yaml exists already and is left as it is');
    expect(existsSync(join(dir, 'other.yaml'))).toBe(false);
  },
);

test('a preset that is none is one error, with those there are', async () => {
  const { code, stderr } = await call(['init', '--preset', 'newapi', '--out', join(folder, 'none.yaml')]);
  expect(code).toBe(2);
  expect(stderr).toContain('new-api, one-api, litellm, portkey');
});
