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
const built = spawnSync(process.execPath, [tsc, '-p', join(root, 'tsconfig.build.json'), '--outDir', fresh], {
  stdio: ['ignore', 'inherit', 'inherit'],
});
if (built.status !== 0) {
  rmSync(fresh, { recursive: true, force: true });
  process.exit(built.status ?? 1);
}
compileDocuments(root, fresh);
await compileSchemas(fresh);
pruneDeclarations(fresh, ['cli/api/index.d.ts', 'cli/vitest/index.d.ts']);
writeFileSync(join(fresh, '.built'), '');
if (existsSync(dist)) renameSync(dist, old);
renameSync(fresh, dist);
rmSync(old, { recursive: true, force: true });
