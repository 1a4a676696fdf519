import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { smallReport } from '../../../reporters/small.fixture.ts';
import { jsonText } from '../../../spec/json.ts';
import { suiteInfo } from '../../../spec/requirements.ts';
import { packageFile } from '../../../spec/package-root.ts';
import type { Target } from '../../../fixtures/target/target.ts';
import { everything, planRun } from '../../../suites/plan/plan.ts';
import { cpuOf, peakOf } from '../process.fixture.ts';

/** The most that reading a file of others may take: of CPU time, other processes may take the rest. */
const [mostMb, longestMs] = [400, 10_000];

const folder = mkdtempSync(join(tmpdir(), 'costs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = (name: string): string => join(folder, name);

interface Cost {
  readonly code: number | null;
  readonly stderr: string;
  readonly cpuMs: number;
  readonly peakMb: number;
}

/** Runs the command as a process of its own; it is killed where it takes too long. */
function cost(args: readonly string[]): Promise<Cost> {
  const child = spawn(process.execPath, [packageFile('cli/bin.mjs'), ...args], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: 6 * longestMs,
    killSignal: 'SIGKILL',
  });
  let [stderr, peakMb, cpuMs] = ['', 0, 0];
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const look = setInterval(() => {
    peakMb = Math.max(peakMb, peakOf(child.pid));
    cpuMs = Math.max(cpuMs, cpuOf(child.pid));
  }, 10);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      clearInterval(look);
      resolve({ code, stderr, cpuMs, peakMb });
    });
  });
}

const header = (name: string): string =>
  `${JSON.stringify({
    kind: 'header',
    schemaVersion: 3,
    suite: suiteInfo(),
    runId: 'run-1',
    target: {
      name,
      baseUrl: 'http://localhost:1',
      versionHeader: { name: 'anthropic-version', value: '2023-06-01' },
      models: { general: 'g', image: 'i', 'chat-image': 'c' },
      tokens: { default: 'MY_TOKEN' },
    },
    seed: 7,
    selection: { suites: [], requirements: [], families: [], groups: [] },
    profile: 'full',
    skipCostly: false,
    startedAt: '2026-11-21T05:00:00.000Z',
  })}\n`;

/** The ids of a plan that asks for one text model. */
const recordedIds = (): readonly string[] => {
  const { target } = JSON.parse(header('plan')) as { target: Target };
  const tokens = { default: { value: '', variable: 'MY_TOKEN' } };
  const depth = { profile: 'full', skipCostly: false, explore: 0 } as const;
  return planRun({ ...target, tokens }, { seed: 7, selection: everything, ...depth }).requests.map(
    ({ id }) => id,
  );
};

/** A file written piece by piece: this process must not hold what the command must not. */
function put(name: string, pieces: Iterable<string>): void {
  const descriptor = openSync(path(name), 'w');
  for (const piece of pieces) writeSync(descriptor, piece);
  closeSync(descriptor);
}

function* unsentLines(bytes: number): Generator<string> {
  yield header('many lines');
  for (let [at, written] = [0, 0]; written < bytes; ) {
    let piece = '';
    for (; piece.length < 1_000_000; at += 1)
      piece += `{"kind":"unsent","id":"${at}","unsent":{"kind":"stopped"}}\n`;
    written += piece.length;
    yield piece;
  }
}

/** Lines of 32 MB, each of which may stand by itself. */
function* longLines(count: number): Generator<string> {
  yield header('long lines');
  for (let at = 0; at < count; at += 1) {
    yield `{"kind":"unsent","id":"${at}`;
    yield* repeated(million('i'), 32);
    yield '","unsent":{"kind":"stopped"}}\n';
  }
}

const repeated = (text: string, times: number): Generator<string> =>
  (function* () {
    for (let at = 0; at < times; at += 1) yield text;
  })();
const million = (letter: string): string => letter.repeat(1_000_000);

/** The report with a name of so many millions of characters. */
function* longNamed(millions: number): Generator<string> {
  const [start = '', end = ''] = jsonText({
    ...smallReport(),
    target: { name: '@', baseUrl: 'http://a' },
  }).split('@');
  yield start;
  yield* repeated(million('n'), millions);
  yield end;
}

function* longHeader(): Generator<string> {
  const [start = '', end = ''] = header('@').split('@');
  yield start;
  yield* repeated(million('n'), 100);
  yield end;
}

/** A reply of megabytes to each of some requests of the plan, as evidence holds it: a text that is repeated. */
function* longReplies(
  ids: readonly string[],
  [start, end]: readonly [string, string],
  [piece, times]: readonly [string, number] = ['plain words '.repeat(100_000), 27],
): Generator<string> {
  yield header('long replies');
  const at = '2026-11-21T05:00:01.000Z';
  const ending = { kind: 'complete' };
  for (const id of ids) {
    const attempt = {
      status: 200,
      ending,
      fingerprint: id,
      bytes: 32_000_000,
      startedAt: at,
      ms: 1,
      waitedMs: 0,
    };
    const [before = '', after = ''] = JSON.stringify({
      ...{
        kind: 'exchange',
        id,
        request: { method: 'POST', url: 'http://localhost:1/', headers: {}, body: '{}' },
      },
      response: {
        status: 200,
        headers: [],
        body: { text: `${start}@${end}`, encoding: 'utf8', bytes: 32_000_000, arrivals: [] },
      },
      ...{ ending, timing: { startedAt: at, headersMs: 1, endMs: 1, stallMs: 0 }, attempts: [attempt] },
    }).split('@');
    yield before;
    yield* repeated(piece, times);
    yield `${after}\n`;
  }
}

/** An event of a stream with so many characters of text, as a body is written within a line. */
const eventOf = (chars: number): string =>
  JSON.stringify(
    `data: {"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"${'w'.repeat(chars)}"}}]}\n\n`,
  ).slice(1, -1);

/** Requests that may bring images, and so long replies, as often as they are asked with each of many models. */
const imageRequests = ['cell.chat-image.chat.default', 'cell.chat-image.chat.default.stream'];

const completion = [
  '{"object":"chat.completion","choices":[{"message":{"role":"assistant","content":"',
  '"}}]}',
] as const;

beforeAll(() => {
  for (const name of [
    'texts-of-32-mb',
    'images-of-32-mb',
    'streams-of-20-mb',
    'streams-of-2-mb',
    'events',
    'cut-lists',
    'blank-lines',
    'more-streams',
    'lines',
    'long-lines',
    'named',
    'nested',
    'long',
    'many',
    'texts',
    'context',
    'certified',
  ])
    mkdirSync(path(name));
  writeFileSync(path('good.json'), jsonText(smallReport()));
  put('lines/evidence.jsonl', unsentLines(235_000_000));
  put('long-lines/evidence.jsonl', longLines(6));
  const cells = ['chat.default', 'responses.default', 'responses.coding-tool'];
  put(
    'texts-of-32-mb/evidence.jsonl',
    longReplies(
      cells.map((cell) => `cell.general.${cell}`),
      completion,
    ),
  );
  put(
    'images-of-32-mb/evidence.jsonl',
    longReplies(
      [...imageRequests, 'cell.image.images.default', 'images.n.10', 'images.combination.1'],
      completion,
    ),
  );
  const ids = recordedIds();
  put('streams-of-20-mb/evidence.jsonl', longReplies(imageRequests, ['', ''], [eventOf(5_000), 4_000]));
  put('events/evidence.jsonl', longReplies(ids.slice(0, 30), ['', ''], ['data: 1\\n\\n', 10_000]));
  put('cut-lists/evidence.jsonl', longReplies(ids.slice(0, 18), ['{"choices":[', ''], ['{},', 99_000]));
  put('blank-lines/evidence.jsonl', longReplies(ids.slice(0, 3), ['{', ''], ['\\n'.repeat(1000), 200]));
  put('streams-of-2-mb/evidence.jsonl', longReplies(ids.slice(0, 12), ['', ''], [eventOf(120), 9_000]));
  put('more-streams/evidence.jsonl', longReplies(ids.slice(0, 40), ['', ''], [eventOf(120), 9_000]));
  put('named/evidence.jsonl', longHeader());
  put('named/report.json', longNamed(100));
  put('nested/evidence.jsonl', repeated(million('['), 10));
  put('nested/report.json', repeated(million('['), 10));
  put('long/report.json', longNamed(3));
  put(
    'many/report.json',
    (function* () {
      yield '[';
      yield* repeated('{},'.repeat(300_000), 45);
      yield '{}]';
    })(),
  );
  put(
    'texts/report.json',
    (function* () {
      yield '[';
      yield* repeated(`"${'\u20ac'.repeat(300_000)}",`, 45);
      yield '""]';
    })(),
  );
  writeFileSync(path('context/report.json'), jsonText(smallReport()));
  put('context/render-context.json', repeated(million('['), 10));
  writeFileSync(path('certified/report.json'), jsonText(smallReport()));
  put('certified/certificate.json', repeated(million('['), 10));
  put('brackets.yaml', repeated(million('['), 10));
  put('indented.yaml', ['expected:\n', ...repeated(`${'- '.repeat(50_000)}\n`, 1)]);
});

describe('within memory and time, and with one clear error,', () => {
  test.each([
    ['judge, 235 MB of short lines', ['judge', 'lines'], 'takes more than'],
    ['judge, 192 MB of long lines', ['judge', 'long-lines'], 'evidence.jsonl:7: takes more than'],
    ['judge, 80 MB of streams of many events', ['judge', 'more-streams'], 'takes more than'],
    ['merge, 235 MB of short lines', ['merge', 'lines', '--out', 'new'], 'takes more than'],
    ['judge, a name of 100 MB', ['judge', 'named'], 'evidence.jsonl:1: is longer than'],
    ['verify, a name of 100 MB', ['verify', 'named'], 'report.json: is larger than'],
    ['diff, a name of 100 MB', ['diff', 'good.json', 'named'], 'report.json: is larger than'],
    ['judge, ten million brackets', ['judge', 'nested'], 'evidence.jsonl:1: is longer than'],
    ['verify, ten million brackets', ['verify', 'nested'], 'is nested more than'],
    ['compare, ten million brackets', ['compare', 'good.json', 'nested'], 'is nested more than'],
    ['site, ten million brackets', ['site', 'nested', '--out', 'new'], 'is nested more than'],
    ['diff, many small values', ['diff', 'good.json', 'many'], 'bytes of memory'],
    ['diff, many long texts', ['diff', 'good.json', 'texts'], 'bytes of memory'],
    [
      'baseline, ten million brackets',
      ['baseline', 'update', '--baseline', 'brackets.yaml', '--report', 'good.json'],
      'brackets.yaml: is larger than',
    ],
    [
      'baseline, deep indentation',
      ['baseline', 'update', '--baseline', 'indented.yaml', '--report', 'good.json'],
      'indented.yaml:2: is longer than',
    ],
    [
      'pin, ten million brackets',
      ['pin', 'update', '--pins', 'brackets.yaml', '--report', 'good.json'],
      'brackets.yaml: is larger than',
    ],
  ])('%s', async (_name, args, message) => {
    const { code, stderr, cpuMs, peakMb } = await cost(args);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(peakMb).toBeLessThan(mostMb);
    expect(cpuMs).toBeLessThan(longestMs);
  });
});

test.each([
  ['judge, 97 MB of texts that no run records', ['judge', 'texts-of-32-mb'], [3]],
  ['judge, 162 MB of texts where images are due', ['judge', 'images-of-32-mb'], [1, 3]],
  ['judge, streams of 20 MB', ['judge', 'streams-of-20-mb'], [1, 3]],
  ['judge, 24 MB of streams of many events', ['judge', 'streams-of-2-mb'], [1, 3]],
  ['judge, streams of 300,000 events of one value', ['judge', 'events'], [3]],
  ['judge, cut lists of 1,800,000 values', ['judge', 'cut-lists'], [3]],
  ['judge, 600,000 blank lines', ['judge', 'blank-lines'], [3]],
  ['diff, a name of 3 MB', ['diff', 'good.json', 'long'], [0, 1]],
  ['site, a context of ten million brackets', ['site', 'context', '--out', 'new-site'], [0]],
  ['verify, a certificate of ten million brackets', ['verify', 'certified'], [1]],
])('what is read or left out takes as little: %s', async (_name, args, codes) => {
  const { code, stderr, cpuMs, peakMb } = await cost(args);
  expect(codes).toContain(code);
  expect(stderr).not.toMatch(/internal error|\n\s+at /);
  expect(peakMb).toBeLessThan(mostMb);
  expect(cpuMs).toBeLessThan(longestMs);
});
