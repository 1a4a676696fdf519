import { basename } from 'node:path';
import { expect } from 'vitest';
import { parseXml } from '../../reporters/well-formed.fixture.ts';
import { validateEvidence, validateReport } from '../../reporters/schema/validate.ts';
import type { Report } from '../../suites/types/report.ts';
import { leaksIn } from './leaks.fixture.ts';
import { filesIn, type Judged, secrets } from './process.fixture.ts';

/** The most memory that a run may take, in megabytes. */
const mostMemoryMb = 400;

/** The same where a target answers with many results of several megabytes each, which are kept and read. */
export const memoryOfLargeResultsMb = 600;

/** Controls and bidi overrides: they act on a terminal or on the order of what is read. */
const steering = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;

/** Lines of evidence, the last one left out where a killed run did not finish it. */
export function evidenceLines(bytes: Buffer): { kind: string }[] {
  const lines = bytes.toString('utf8').split('\n');
  lines.pop();
  return lines.map((line) => JSON.parse(line) as { kind: string });
}

function scriptOfData(id: string): string {
  return `<script type="application/json" id="${id}">`;
}

/** The code of a page, the report that it works with, and the lines of recorded exchanges. */
const ownScripts = ['<script>', ...['report-core', 'lines'].map(scriptOfData)];

/** What of a page a browser takes for markup: no element and no handler but our own. */
function expectHarmless(page: string): void {
  const markup = page.replace(/<(script|style)[^>]*>[\s\S]*?<\/\1>/g, '');
  const names = [...markup.matchAll(/<([a-z!][^\s/>]*)/gi)].map(([, name]) => name?.toLowerCase());
  for (const name of ['img', 'iframe', 'object', 'embed', 'base', 'link', 'script', '!--'])
    expect(names).not.toContain(name);
  expect(markup).not.toMatch(/<[^>"']*(?:"[^"]*"[^>"']*)*\son[a-z]+\s*=/i);
  const scripts = page.match(/<script[^>]*>/gi) ?? [];
  expect(new Set(scripts).size).toBe(scripts.length);
  for (const tag of scripts) expect(ownScripts).toContain(tag);
  expect(page.trimEnd().endsWith('</html>')).toBe(true);
  expect(page.replaceAll(/[\n\t]/g, '')).not.toMatch(steering);
}

/** Markdown in which nothing of a target is markup: code is left out, in it everything is text. */
function expectPlain(markdown: string): void {
  const words = markdown
    .replace(/^(`{3,}).*\n[\s\S]*?\n\1$/gm, '')
    .replace(/(`+)(?!`)[^\n]*?[^`]\1(?!`)/g, '');
  expect(words).not.toMatch(/<(?:script|img|iframe|a)\b|\]\(javascript:/i);
  expect(markdown.replaceAll(/[\n\t]/g, '')).not.toMatch(steering);
}

function expectFiles(files: ReadonlyMap<string, Buffer>): Report {
  let report: Report | undefined;
  for (const [path, bytes] of files) {
    const text = bytes.toString('utf8');
    if (path.endsWith('.jsonl')) expect(evidenceLines(bytes).flatMap(validateEvidence), path).toEqual([]);
    else if (/\.(?:json|sarif)$/.test(path)) {
      const value = JSON.parse(text) as unknown;
      if (basename(path) !== 'report.json') continue;
      report = value as Report;
      expect(validateReport(report)).toEqual([]);
    } else if (path.endsWith('.xml')) parseXml(text);
    else if (path.endsWith('.html')) expectHarmless(text);
    else if (path.endsWith('.md')) expectPlain(text);
  }
  if (report === undefined) throw new Error('there is no report.json');
  return report;
}

/** No line of a process says that we crashed, and nothing in it steers a terminal. */
export function expectCalm({ stdout, stderr }: Pick<Judged, 'stdout' | 'stderr'>): void {
  const said = `${stdout}\n${stderr}`;
  expect(said).not.toMatch(
    /\n\s+at .+:\d+:\d+|bug in the suite|gateway-conformance: internal error|UnhandledPromise|heap out of memory/,
  );
  expect(said.replaceAll(/[\n\t\r]/g, '')).not.toMatch(steering);
}

/** No secret in any form, in any file and on any line. */
export function expectNoSecret(judged: Judged): void {
  for (const [path, bytes] of filesIn(judged.dir))
    expect(leaksIn(bytes.toString('utf8'), secrets), path).toEqual([]);
  expect(leaksIn(`${judged.stdout}${judged.stderr}`, secrets)).toEqual([]);
}

/** The most CPU time of a whole run, in milliseconds, whatever else the machine does. */
const mostCpuMs = 150_000;

/**
 * What holds of every run, whatever the target does: it ended by itself, calm, within bounds, with one
 * of the exit codes, and everything it left is sound. Returns its report.
 */
export function expectSafe(judged: Judged, codes: readonly number[], memoryMb = mostMemoryMb): Report {
  expect(judged.signal).toBe(null);
  expectCalm(judged);
  expect(codes).toContain(judged.code);
  expect(judged.peakMb).toBeLessThan(memoryMb);
  expect(judged.cpuMs).toBeLessThan(mostCpuMs);
  expectNoSecret(judged);
  const report = expectFiles(filesIn(judged.dir));
  expect(report.verdict === 'conformant').toBe(judged.code === 0);
  return report;
}
