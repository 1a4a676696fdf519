import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { once } from '../../spec/once.ts';
import { packageFile, packageRoot } from '../../spec/package-root.ts';

const isTestCode = (path: string): boolean => /\.(test|fixture)\.[a-z.]+$|(^|\/)tests\//.test(path);

const run = (command: string, args: readonly string[]): string =>
  execFileSync(command, args, { cwd: packageRoot, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

test('the build compiles no test code, and nothing that it compiles imports any', () => {
  const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));
  const listed = run(process.execPath, [
    join(typescript, 'bin', 'tsc'),
    '-p',
    'tsconfig.build.json',
    '--listFilesOnly',
  ]);
  const own = listed.split('\n').filter((file) => file !== '' && !file.includes('/node_modules/'));
  expect(own.some((file) => file.endsWith('/cli/main.ts'))).toBe(true);
  expect(own.filter((file) => isTestCode(file.slice(packageRoot.length)))).toEqual([]);
});

const packed = once((): { readonly size: number; readonly files: readonly { path: string }[] } => {
  // Builds where the sources are newer.
  run(process.execPath, ['cli/bin.mjs', '--version']);
  const [listed] = JSON.parse(run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts']));
  return listed;
});

test('the package has less than 640 kB packed, and no file that has no place in it', () => {
  const { size, files } = packed();
  expect(size).toBeLessThan(640_000);
  const place =
    /^(package\.json|README\.md|LICENSE|cli\/bin\.mjs|docs\/[\w-]+\.md|dist\/chunks\/[\w-]+\.js|(dist\/)?(cli|spec|suites|fixtures|reporters)\/[\w./-]+\.(d\.ts|js|mjs|yaml|json|png|txt))$/;
  expect(files.map(({ path }) => path).filter((path) => !place.test(path))).toEqual([]);
});

test('the test runner is that of the vitest that the package has', () => {
  const { dependencies } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8'));
  expect(dependencies['@vitest/runner']).toBe(dependencies.vitest);
});

test('the package holds no key, and no declaration that no entry leads to', () => {
  const files = packed().files.map(({ path }) => path);
  const holdsKey = (path: string) =>
    /-----BEGIN [A-Z ]*PRIVATE KEY-----\n/.test(readFileSync(packageFile(path), 'utf8'));
  expect(files.filter(holdsKey)).toEqual([]);
  expect(files).toEqual(expect.arrayContaining(['dist/cli/api/index.d.ts', 'dist/cli/vitest/index.d.ts']));
  expect(files).not.toContain('dist/cli/program.d.ts');
});

test('the package holds the command, the documents that it judges by, and no test code', () => {
  const paths = packed().files.map(({ path }) => path);
  expect(paths).toEqual(
    expect.arrayContaining([
      'cli/bin.mjs',
      'cli/proxy/live-judge-thread.mjs',
      'suites/interop/client-process.mjs',
      'suites/vitest/runner-thread.mjs',
      'spec/openapi.yaml',
      'spec/requirements.yaml',
      'spec/matrix.yaml',
      'reporters/schema/report.schema.json',
      'docs/glossary.md',
    ]),
  );
  expect(paths.filter(isTestCode)).toEqual([]);
  expect(paths.filter((path) => path.startsWith('dist/tools/'))).toEqual([]);
});
