import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { UsageError } from '../../fixtures/target/errors.ts';

/** What of vitest is used: the same from version 3 on. */
export type Vitest = Pick<typeof import('vitest'), 'beforeAll' | 'describe' | 'test'>;

/** The root of the project whose tests are run, where vitest says it to its workers. */
function workerRoot(): string | undefined {
  const { __vitest_worker__: worker } = globalThis as {
    __vitest_worker__?: { config?: { root?: unknown } };
  };
  const root = worker?.config?.root;
  return typeof root === 'string' ? root : undefined;
}

/** The module of the vitest that a folder resolves; undefined where it has none. */
function vitestFrom(folder: string): string | undefined {
  try {
    const manifest = createRequire(join(folder, 'from.js')).resolve('vitest/package.json');
    const { exports } = JSON.parse(readFileSync(manifest, 'utf8')) as {
      exports: { '.': { import: { default: string } } };
    };
    const file = join(dirname(manifest), exports['.'].import.default);
    return existsSync(file) ? file : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The vitest that runs the user's tests. This package has a vitest of its own for the command, which an import
 * would find: tests that are registered with that one are never run.
 * @throws UsageError where the project has none
 */
export async function runningVitest(): Promise<Vitest> {
  const folders = [workerRoot(), process.cwd()].filter((folder) => folder !== undefined);
  for (const folder of folders) {
    const file = vitestFrom(folder);
    if (file !== undefined) return (await import(pathToFileURL(file).href)) as Vitest;
  }
  throw new UsageError(
    `no vitest in ${folders.join(' or ')}: install it there (npm install --save-dev vitest), or use the command`,
  );
}
