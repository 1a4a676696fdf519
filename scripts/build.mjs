// Makes dist/ of the TypeScript sources. It builds beside dist/ and then swaps, so that a command started meanwhile sees
// the old build or the new one and never half of either.
import { spawnSync } from 'node:child_process';
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from './bundle.mjs';
import { compileArrays } from './compile-arrays.mjs';
import { compilePlaces } from './compile-places.mjs';
import { compileDocuments, compileSchemas } from './compile-schemas.mjs';
import { pruneDeclarations } from './prune-declarations.mjs';
import { setup as writeReportTypes } from './report-types.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, 'dist');
const [compiled, fresh, old] = ['compiled', 'fresh', 'old'].map((name) =>
  join(root, `.dist-${name}-${process.pid}`),
);

const require = createRequire(import.meta.url);
const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc');

/** Runs the compiler with options. Throws where the sources are wrong: it has said what. */
function compile(...options) {
  const project = ['-p', join(root, 'tsconfig.build.json')];
  const { status } = spawnSync(process.execPath, [tsc, ...project, ...options], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) throw new Error('the sources do not compile');
}

try {
  writeReportTypes();
  // What is documented stands in the declarations; without it the code is a seventh smaller.
  compile('--declaration', 'false', '--removeComments', '--outDir', compiled);
  compile('--emitDeclarationOnly', '--outDir', fresh);
  await compileSchemas(compiled);
  await compileArrays(compiled);
  await compilePlaces(compiled);
  compileDocuments(root, compiled, fresh);
  await bundle(compiled, fresh);
  pruneDeclarations(fresh, ['cli/api/index.d.ts', 'cli/vitest/index.d.ts']);
  writeFileSync(join(fresh, '.built'), '');
  if (existsSync(dist)) renameSync(dist, old);
  renameSync(fresh, dist);
} catch (error) {
  console.error(`build: ${error.message}`);
  process.exitCode = 1;
} finally {
  for (const folder of [compiled, fresh, old]) rmSync(folder, { recursive: true, force: true });
}
