// Declarations of the build that no public entry leads to: half of the files of the package, and of no use to anyone.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The relative modules that a declaration names. */
const named = (text) =>
  [...text.matchAll(/(?:from|import)\s*\(?\s*['"](\.{1,2}\/[^'"]+)['"]/g)].map(([, path]) => path);

const declarationOf = (file) => file.replace(/\.(?:ts|js)$/, '.d.ts').replace(/\.mjs$/, '.d.mts');

/**
 * Removes every declaration below a folder that the entries do not need.
 * @param {string} dist
 * @param {readonly string[]} entries declarations, from `dist`
 */
export function pruneDeclarations(dist, entries) {
  const needed = new Set();
  const follow = (file) => {
    if (needed.has(file)) return;
    if (!existsSync(file)) throw new Error(`${file}: no such declaration, and another one names it`);
    needed.add(file);
    for (const path of named(readFileSync(file, 'utf8'))) follow(declarationOf(join(dirname(file), path)));
  };
  for (const entry of entries) follow(join(dist, entry));
  for (const entry of readdirSync(dist, { withFileTypes: true, recursive: true })) {
    const file = join(entry.parentPath, entry.name);
    if (/\.d\.m?ts$/.test(entry.name) && !needed.has(file)) rmSync(file);
  }
}
