import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../spec/package-root.ts';

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

test('the package holds the command, the documents that it judges by, and no test code', () => {
  const [packed] = JSON.parse(run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'])) as {
    files: { path: string }[];
  }[];
  const paths = packed?.files.map(({ path }) => path) ?? [];
  expect(paths).toEqual(
    expect.arrayContaining([
      'cli/bin.mjs',
      'spec/openapi.yaml',
      'spec/requirements.yaml',
      'spec/matrix.yaml',
      'reporters/schema/report.schema.json',
      'docs/glossary.md',
    ]),
  );
  expect(paths.filter(isTestCode)).toEqual([]);
});
