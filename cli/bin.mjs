#!/usr/bin/env node
// The installed command. In a checkout whose sources are newer than the build it compiles first.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';

// A target may send megabytes that are read and dropped: without this V8 lets the heap double before it looks.
setFlagsFromString('--heap-growing-percent=20');
// The same for short-lived objects: the space for them stays as small as it begins, in every thread.
setFlagsFromString('--semi-space-growth-factor=1');
setFlagsFromString('--max-semi-space-size=1');

// Until a command takes signals itself, the first one ends the process: nothing was judged.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(3));

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
if (existsSync(join(root, 'tsconfig.build.json')) && Math.max(...sources.map(newest)) > built) {
  await import('../scripts/build.mjs');
}
const { main } = await import('../dist/cli/main.js');
await main(process.argv.slice(2));
