// Builds where a source is newer than the build.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const sources = ['spec', 'suites', 'fixtures', 'reporters', 'cli'].map((folder) => join(root, folder));

/** What the build is made of: TypeScript, and the schemas that it compiles. */
const isSource = (name) => /\.(?:ts|mjs|yaml|json)$/.test(name) && !name.endsWith('.test.ts');

/** Milliseconds of the newest source below a folder. */
function newest(folder) {
  let latest = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isFile() && isSource(entry.name)) {
      latest = Math.max(latest, statSync(join(entry.parentPath, entry.name)).mtimeMs);
    }
  }
  return latest;
}

const stamp = join(root, 'dist', '.built');
const built = existsSync(stamp) ? statSync(stamp).mtimeMs : 0;
if (Math.max(...sources.map(newest)) > built) await import('./build.mjs');
