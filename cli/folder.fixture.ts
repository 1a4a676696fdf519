import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { defaultConsole } from '../fixtures/gateway/console.ts';
import { targetFor } from '../fixtures/gateway/describe.ts';
import type { Report } from '../suites/types/report.ts';

/** A folder for the tests of a file, which is gone behind them. */
export function testFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `${name}-`));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The tokens of the reference gateway, by the names of their variables. */
export const tokensByVariable: Readonly<Record<string, string>> = Object.fromEntries(
  Object.values(targetFor(defaultConsole(), '').tokens).map(({ value, variable }) => [variable, value]),
);

/** The report that a run left in a DIR. */
export const reportIn = (dir: string): Report =>
  JSON.parse(readFileSync(join(dir, 'report.json'), 'utf8')) as Report;
