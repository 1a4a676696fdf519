import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { defaultConsole } from '../fixtures/gateway/console.ts';
import { configYaml, targetFor } from '../fixtures/gateway/describe.ts';
import { createGateway, type GatewayOptions } from '../fixtures/gateway/gateway.ts';
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

/**
 * A reference gateway for the tests of a file, and a config of it in a folder.
 * @param behind takes what ends it: behind all tests of the file, or behind the one that asks for it
 */
export async function gatewayIn(
  folder: string,
  options: GatewayOptions = {},
  name = 'gateway',
  behind: (end: () => Promise<void>) => void = afterAll,
): Promise<{ readonly url: string; readonly config: string }> {
  const { url, close } = await createGateway(options).listen();
  behind(() => close());
  const config = join(folder, `${name}.yaml`);
  writeFileSync(config, configYaml(options.console ?? defaultConsole(), url));
  return { url, config };
}

/** Writes a DIR with a report, as a run leaves it, and gives its path. */
export function putReport(folder: string, name: string, report: Report): string {
  const dir = join(folder, name);
  mkdirSync(dir);
  writeFileSync(join(dir, 'report.json'), JSON.stringify(report));
  return dir;
}

/** The report that a run left in a DIR. */
export const reportIn = (dir: string): Report =>
  JSON.parse(readFileSync(join(dir, 'report.json'), 'utf8')) as Report;
