import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { packageRoot } from '../../spec/package-root.ts';
import { call } from '../command.fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'init-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

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
