import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, expect, test, vi } from 'vitest';
import { renderings, writeReport } from '../../../cli/files/artefacts.ts';
import { verifyBundle } from '../../../cli/certificate/verify-bundle.ts';
import { openEvidence } from '../../../cli/files/evidence-file.ts';
import { rejudge } from '../../../cli/run/rejudge.ts';
import { suiteInfo } from '../../../spec/requirements.ts';
import { defaultConsole } from '../../../fixtures/gateway/console.ts';
import { targetFor } from '../../../fixtures/gateway/describe.ts';
import { createGateway } from '../../../fixtures/gateway/gateway.ts';
import { UsageError } from '../../../fixtures/target/errors.ts';
import { renderVerification } from '../../../reporters/certificate/verification.ts';
import { validateReport } from '../../../reporters/schema/validate.ts';
import { renderSummary } from '../../../reporters/run/document.ts';
import { runId } from '../../../suites/judge/judge-run.ts';
import { everything, planRun } from '../../../suites/plan/plan.ts';
import { executePlan } from '../../../suites/run/execute-plan.ts';
import { createRedactor } from '../../../suites/wire/redaction/redact.ts';
import { awkward, pathsIn, replaced } from '../replies.fixture.ts';
import { fullDepth } from '../../../suites/types/profile.ts';
import { testFolder } from '../../../cli/folder.fixture.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const dir = testFolder('evidence');
const file = join(dir, 'evidence.jsonl');
let recorded = '';
let lines: readonly string[] = [];

/** A real run against the reference gateway, recorded as `run` records it. */
beforeAll(async () => {
  const settings = defaultConsole();
  const gateway = await createGateway({ console: settings }).listen();
  const target = targetFor(settings, gateway.url);
  const selection = { ...everything, suites: ['results', 'streams', 'errors'] as const };
  const options = { seed: 1, concurrency: 8, timeoutMs: 10_000, selection, ...fullDepth };
  const tokens = Object.entries(target.tokens).map(([name, { variable }]) => [name, variable] as const);
  const startedAt = '2026-11-21T09:00:00.000Z';
  const header = {
    kind: 'header' as const,
    schemaVersion: 3 as const,
    suite: suiteInfo(),
    runId: runId(1, startedAt, target.baseUrl),
    target: { ...target, tokens: Object.fromEntries(tokens) },
    seed: 1,
    selection,
    ...fullDepth,
    startedAt,
  };
  const log = openEvidence(file, { header }, (line) => line);
  const ran = await executePlan(target, planRun(target, options), options, { onEvidence: log.write });
  log.end(ran.finishedAt, ran.partial);
  await gateway.close();
  recorded = readFileSync(file, 'utf8');
  lines = recorded.split('\n').slice(0, -1);
  writeReport(dir, rejudge(file).report, createRedactor([]));
});

/** Judges and verifies what the file holds now: it works, or there is one error that says what is wrong. */
function expectCalm(evidence: string | Buffer): void {
  writeFileSync(file, evidence);
  for (const look of [judged, verified]) {
    try {
      look();
    } catch (error) {
      expect(error).toBeInstanceOf(UsageError);
      expect((error as Error).message).toMatch(/^[^\n]{0,600}$/);
      expect((error as Error).message).toContain('evidence.jsonl');
    }
  }
}
function judged(): void {
  const { report } = rejudge(file);
  expect(validateReport(report)).toEqual([]);
  expect(renderSummary(report, { colour: false })).not.toBe('');
  expect(renderings(report).size).toBeGreaterThan(5);
  for (const { findings } of report.cases)
    expect(findings.filter(({ code }) => code === 'check-error')).toEqual([]);
}
const verified = (): void => void renderVerification(verifyBundle(dir));

const odd = fc.oneof(
  fc.constantFrom(...awkward),
  fc.constantFrom<unknown>(-1, 1e308, 1e15, 0.5, 2 ** 53, '9999-12-31T23:59:59Z', '2016-12-31T23:59:60Z'),
  fc.constantFrom<unknown>('x'.repeat(100_000), Array(5000).fill([1, 1]), Array(5000).fill(['a', 'b'])),
  fc.jsonValue({ maxDepth: 2 }),
  fc.constant(undefined),
);

test('evidence as it was recorded is judged and verified', () => {
  writeFileSync(file, recorded);
  judged();
  expect(verifyBundle(dir).steps.flatMap(({ problems }) => problems)).toEqual([]);
});

test('a record in which anything is something else is judged, or named', () => {
  fc.assert(
    fc.property(fc.nat(), fc.array(fc.tuple(fc.nat(), odd), { minLength: 1, maxLength: 2 }), (at, edits) => {
      // The header is one line of hundreds, and judging rests on it: as often as all others together.
      const index = at % 2 === 0 ? 0 : at % lines.length;
      const damaged = edits.reduce<unknown>(
        (value, [place, by]) => {
          const paths = pathsIn(value);
          return replaced(value, paths[place % paths.length] ?? [], by);
        },
        JSON.parse(lines[index] ?? '') as unknown,
      );
      expectCalm(`${lines.with(index, JSON.stringify(damaged) ?? '').join('\n')}\n`);
    }),
    { numRuns: 120 },
  );
});

test('lines that are gone, doubled, moved or cut are judged as partial, or named', () => {
  const nat = fc.nat();
  const edit = fc.tuple(fc.constantFrom('drop', 'double', 'swap', 'cut', 'blank', 'join'), nat, nat);
  fc.assert(
    fc.property(fc.array(edit, { minLength: 1, maxLength: 3 }), (edits) => {
      const all = [...lines];
      for (const [kind, one, other] of edits) {
        const [at, to] = [one % all.length, other % all.length];
        const [line = '', swapped = ''] = [all[at], all[to]];
        if (kind === 'drop') all.splice(at, 1 + (other % 20));
        else if (kind === 'double') all.splice(to, 0, line);
        else if (kind === 'swap') [all[at], all[to]] = [swapped, line];
        else if (kind === 'cut') all[at] = line.slice(0, other % line.length);
        else if (kind === 'blank') all[at] = '';
        else all.splice(at, 2, line + (all[at + 1] ?? ''));
        if (all.length === 0) all.push('');
      }
      expectCalm(`${all.join('\n')}\n`);
    }),
    { numRuns: 60 },
  );
});

test('evidence that ends anywhere is judged as partial, or named', () => {
  fc.assert(
    fc.property(fc.nat(), (at) => expectCalm(recorded.slice(0, at % recorded.length))),
    { numRuns: 25 },
  );
});

test.each<readonly [string, (text: string) => string | Buffer]>([
  ['nothing', () => ''],
  ['a line feed', () => '\n'],
  ['null', () => 'null\n'],
  ['bytes', () => Buffer.from(Array.from({ length: 100_000 }, (_, at) => (at * 7919) % 256))],
  ['NULs', () => Buffer.alloc(1_000_000)],
  ['UTF-16', (text) => Buffer.from(text, 'utf16le')],
  ['Windows line endings', (text) => text.replaceAll('\n', '\r\n')],
  ['a byte order mark', (text) => `\ufeff${text}`],
  ['100,000 brackets', (text) => `${text.slice(0, text.indexOf('\n') + 1)}${'['.repeat(100_000)}\n`],
  ['a date beyond all dates', (text) => text.replace(/"endMs":[\d.]+/, '"endMs":1e308')],
  [
    'the same, in a run that was killed',
    (text) =>
      `${text
        .replace(/"endMs":[\d.]+/, '"endMs":1e308')
        .split('\n')
        .slice(0, -2)
        .join('\n')}\n`,
  ],
])('evidence that is %s is judged, or named', (_name, make) => {
  expectCalm(make(recorded));
});
