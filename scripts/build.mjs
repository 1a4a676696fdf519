// Compiles the TypeScript sources into dist/. It builds beside dist/ and then swaps, so that a
// command started meanwhile sees the old build or the new one and never half of either.
import { spawnSync } from 'node:child_process';
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileDocuments, compileSchemas } from './compile-schemas.mjs';
import { pruneDeclarations } from './prune-declarations.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const fresh = join(root, `.dist-${process.pid}`);
const old = join(root, `.dist-old-${process.pid}`);
const dist = join(root, 'dist');

const require = createRequire(import.meta.url);
const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc');
/** What is documented stands in the declarations; without it the code is a seventh smaller. */
const emitted = [['--declaration', 'false', '--removeComments'], ['--emitDeclarationOnly']];
for (const options of emitted) {
  const project = ['-p', join(root, 'tsconfig.build.json'), '--outDir', fresh];
  const { status } = spawnSync(process.execPath, [tsc, ...project, ...options], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status === 0) continue;
  rmSync(fresh, { recursive: true, force: true });
  process.exit(status ?? 1);
}
compileDocuments(root, fresh);
await compileSchemas(fresh);
pruneDeclarations(fresh, ['cli/api/index.d.ts', 'cli/vitest/index.d.ts']);
writeFileSync(join(fresh, '.built'), '');
if (existsSync(dist)) renameSync(dist, old);
renameSync(fresh, dist);
rmSync(old, { recursive: true, force: true });
