import type { Report, ReportCase, ReportCell, ReportExchange } from '../suites/types/report.ts';
import type { ReportRequirement, Verdict } from '../suites/types/report.ts';

/** A report small enough to be read whole, with each kind of thing once; for tests only. */

const cell = { family: 'general', protocol: 'chat', group: 'default', stream: false } as const;
const command = (prompt: string): string =>
  `curl -X POST 'https://gateway.example.com/v1/chat/completions' \\\n  -d '${prompt}'`;

const row = (
  id: string,
  sections: readonly string[],
  statement: string,
  rest: Pick<ReportRequirement, 'verdict' | 'cases'> & Partial<ReportRequirement>,
): ReportRequirement => ({ id, sections, level: 'stated', statement, ...rest });

const reading = {
  A: 'A conversational model must not be called through Chat Completions.',
  B: 'Chat Completions serves every family with a default-group token.',
} as const;

const requirements: readonly ReportRequirement[] = [
  row('chat.result.id', ['2.5'], 'id is a string.', { verdict: 'pass', cases: ['plain', 'streamed'] }),
  row('chat.result.usage.total-tokens', ['2.5'], 'usage.total_tokens is an integer.', {
    level: 'derived',
    verdict: 'fail',
    reason: 'The value has another type.',
    cases: ['plain'],
  }),
  row('chat.param.temperature.range', ['4.3', '8'], 'temperature lies between 0 and 2.', {
    reading: 'Both ends are allowed.',
    verdict: 'inconclusive',
    reason: 'The control failed: status 503.',
    cases: ['hot'],
  }),
  row('chat.stream.incremental', ['1', '4.3'], 'Text arrives as it is made.', {
    level: 'derived',
    verdict: 'inconclusive',
    nonGating: 'too-fast',
    reason: 'All of it came within 2 ms.',
    cases: ['streamed'],
  }),
  row('errors.rate-limit.distinct', ['7'], 'A rate limit can be told from an invalid token.', {
    verdict: 'untested',
    reason: 'No token with a spent rate limit.',
    cases: ['limit'],
  }),
  row('errors.status', ['7'], 'The status of a refusal is not shown.', {
    level: 'unspecified',
    verdict: 'observed',
    cases: ['refusal'],
  }),
  row('conflict.a', ['2.2'], reading.A, { level: 'conflicting', verdict: 'conflict', cases: [] }),
  row('conflict.b', ['4'], reading.B, { level: 'conflicting', verdict: 'conflict', cases: [] }),
];

type Found = Omit<ReportCase['findings'][number], 'requirement' | 'verdict'>;

/** A case; what it found is of the last of its requirements. */
const outcome = (
  [id, title, suite, verdict]: readonly [string, string, ReportCase['suite'], Verdict],
  requirements: readonly string[],
  exchanges: readonly string[],
  { found, ...rest }: Partial<ReportCase> & { readonly found?: Found } = {},
): ReportCase => ({
  ...{ id, title, suite, requirements, verdict, exchanges, passed: requirements.slice(0, -1), ...rest },
  findings: found ? [{ requirement: requirements.at(-1) ?? '', verdict: verdict as 'fail', ...found }] : [],
});

const cases: readonly ReportCase[] = [
  outcome(
    ['plain', 'A plain chat completion', 'results', 'fail'],
    ['chat.result.id', 'chat.result.usage.total-tokens'],
    ['one'],
    {
      cell,
      found: {
        exchange: 'one',
        pointer: '/usage/total_tokens',
        message: 'The value has another type.',
        expected: 'an integer',
        actual: '"21"',
      },
      reproduce: command('hello'),
    },
  ),
  outcome(
    ['hot', 'A temperature above 2', 'parameters', 'inconclusive'],
    ['chat.param.temperature.range'],
    ['two', 'three'],
    {
      found: { message: 'The control failed.', expected: 'a result', actual: 'status 503' },
      reproduce: command('hot'),
    },
  ),
  outcome(
    ['streamed', 'A chat stream', 'streams', 'inconclusive'],
    ['chat.result.id', 'chat.stream.incremental'],
    ['three'],
    {
      cell: { ...cell, stream: true },
      found: {
        message: 'All of it came at once.',
        expected: 'text over time',
        actual: '2 ms',
        nonGating: 'too-fast',
      },
    },
  ),
  outcome(['limit', 'A spent rate limit', 'errors', 'untested'], ['errors.rate-limit.distinct'], []),
  outcome(['refusal', 'A refusal', 'observations', 'observed'], ['errors.status'], ['two']),
];

const square = (over: Partial<ReportCell> & Pick<ReportCell, 'expectation' | 'observed'>): ReportCell => ({
  ...cell,
  why: 'Section 2.2.',
  requirements: ['chat.result.id'],
  cases: ['plain'],
  ...over,
});

/** An exchange that was complete at once. */
export const exchange = (
  id: string,
  path: string,
  status: number,
  endMs: number,
  text = '{"id":"x"}',
): ReportExchange => ({
  id,
  request: {
    method: 'POST',
    url: `https://gateway.example.com${path}`,
    headers: { 'content-type': 'application/json' },
    body: '{"model":"m"}',
  },
  response: {
    status,
    headers: [['content-type', 'application/json']],
    body: { text, encoding: 'utf8', bytes: text.length, arrivals: [[text.length, endMs]] },
  },
  ending: { kind: 'complete' },
  timing: { startedAt: '2026-11-21T09:00:01.000Z', headersMs: 20, endMs, stallMs: 0 },
  attempts: [
    {
      status,
      ending: { kind: 'complete' },
      fingerprint: '0123456789abcdef',
      bytes: text.length,
      startedAt: '2026-11-21T09:00:01.000Z',
      ms: endMs,
      waitedMs: 0,
    },
  ],
});

/** Of five requirements that can fail two were judged, and one of them failed; one open one gates, one does not. */
export const smallReport = (): Report => ({
  schemaVersion: 3,
  suite: {
    name: 'conformance',
    version: '1.2.0',
    requirementsDigest: `sha256:${'a'.repeat(64)}`,
    openapiDigest: `sha256:${'b'.repeat(64)}`,
  },
  target: { name: 'Acme', baseUrl: 'https://gateway.example.com' },
  scope: {
    families: ['general', 'conversational', 'multimodal', 'image'],
    groups: ['default', 'coding-tool'],
    rateLimited: false,
    selection: {},
    profile: 'full',
    skipCostly: false,
  },
  run: {
    id: 'run-1',
    startedAt: '2026-11-21T09:00:00.000Z',
    finishedAt: '2026-11-21T09:00:12.500Z',
    requests: 1_204,
    billedGenerations: 1,
    seed: 7,
    partial: false,
  },
  causes: [],
  verdict: 'non-conformant',
  reasons: ['1 requirement failed.', '1 could not be judged.'],
  summary: { pass: 1, fail: 1, inconclusive: 2, untested: 1, observed: 1, conflict: 2 },
  requirements,
  excluded: [
    {
      id: 'service.account',
      sections: ['1'],
      level: 'stated',
      statement: 'A caller needs an account.',
      reason: 'The console is no part of the HTTP interface.',
    },
  ],
  cases,
  matrix: [
    square({ expectation: 'served', observed: 'served' }),
    square({ stream: true, expectation: 'served', observed: 'refused' }),
    square({ group: 'coding-tool', expectation: 'unspecified', observed: 'refused' }),
    square({ family: 'conversational', expectation: 'conflict', observed: 'refused' }),
    square({ family: 'conversational', protocol: 'responses', expectation: 'refused', observed: 'unknown' }),
    square({ family: 'image', protocol: 'images', expectation: 'served', observed: 'not sent' }),
  ],
  conflicts: [
    {
      id: 'conflict.conversational-on-chat',
      sections: ['2.2', '4'],
      readings: [
        { label: 'A', requirement: 'conflict.a', statement: reading.A, sections: ['2.2'] },
        { label: 'B', requirement: 'conflict.b', statement: reading.B, sections: ['4'] },
      ],
      follows: 'A',
      exchanges: ['two'],
    },
  ],
  observations: [
    {
      id: 'observation.status',
      section: '7',
      requirement: 'errors.status',
      subject: 'Status of a refused token',
      value: '401',
      exchanges: ['two'],
    },
    {
      id: 'observation.framing',
      section: '6',
      requirement: 'chat.stream.framing',
      subject: 'Framing of a chat stream',
      value: 'server-sent events',
      exchanges: ['three'],
    },
  ],
  exchanges: [
    exchange('one', '/v1/chat/completions', 200, 400, '{"usage":{"total_tokens":"21"}}'),
    exchange('two', '/v1/chat/completions', 503, 30),
    exchange('three', '/v1/chat/completions?x', 200, 1_234),
  ],
});

/** The report with one requirement changed. */
export const withRow = (report: Report, id: string, change: Partial<ReportRequirement>): Report => ({
  ...report,
  requirements: report.requirements.map((one) => (one.id === id ? { ...one, ...change } : one)),
});
