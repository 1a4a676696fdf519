import { describe, expect, test } from 'vitest';
import { known, mixedFindings, withCase } from './empty-report.fixture.ts';
import { renderCtrf } from './ctrf.ts';
import { smallReport } from './small.fixture.ts';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { noExpectedFailures } from './baseline/expected-failures.ts';
import { ctrfSchema } from './ctrf.schema.fixture.ts';
import { unreachableReport, hostileReport, conformantReport, sampleReport } from './sample.fixture.ts';

describe('CTRF', () => {
  const command = (prompt: string): string =>
    `curl -X POST 'https://gateway.example.com/v1/chat/completions' \\\n  -d '${prompt}'`;
  const one = (name: string, status: string, suite: string, rest: object) => ({
    name,
    status,
    suite: ['Acme', suite],
    ...rest,
  });

  test('has the numbers of the run and a test for each case', () => {
    expect(JSON.parse(renderCtrf(smallReport()))).toEqual({
      reportFormat: 'CTRF',
      specVersion: '0.0.0',
      timestamp: '2026-11-21T09:00:12.500Z',
      generatedBy: 'conformance',
      results: {
        tool: { name: 'conformance', version: '1.2.0' },
        summary: {
          tests: 5,
          passed: 1,
          failed: 1,
          skipped: 1,
          pending: 0,
          other: 2,
          suites: 5,
          start: Date.UTC(2026, 10, 21, 9),
          stop: Date.UTC(2026, 10, 21, 9, 0, 12, 500),
          duration: 12_500,
          extra: { verdict: 'non-conformant' },
        },
        tests: [
          one('plain: A plain chat completion', 'failed', 'results', {
            duration: 400,
            rawStatus: 'fail',
            message: 'The value has another type.',
            trace: `chat.result.usage.total-tokens at /usage/total_tokens: The value has another type.\n  expected: an integer\n  actual: "21"\n\n${command('hello')}`,
            tags: ['chat.result.id', 'chat.result.usage.total-tokens'],
            extra: { case: 'plain', exchanges: ['one'] },
          }),
          one('hot: A temperature above 2', 'other', 'parameters', {
            duration: 1_264,
            rawStatus: 'inconclusive',
            message: 'The control failed.',
            trace: `chat.param.temperature.range: The control failed.\n  expected: a result\n  actual: status 503\n\n${command('hot')}`,
            tags: ['chat.param.temperature.range'],
            extra: { case: 'hot', exchanges: ['two', 'three'] },
          }),
          one('streamed: A chat stream', 'other', 'streams', {
            duration: 1_234,
            rawStatus: 'inconclusive',
            message: 'All of it came at once.',
            trace:
              'chat.stream.incremental: All of it came at once.\n  expected: text over time\n  actual: 2 ms',
            tags: ['chat.result.id', 'chat.stream.incremental'],
            extra: { case: 'streamed', exchanges: ['three'] },
          }),
          one('limit: A spent rate limit', 'skipped', 'errors', {
            duration: 0,
            rawStatus: 'untested',
            tags: ['errors.rate-limit.distinct'],
            extra: { case: 'limit', exchanges: [] },
          }),
          one('refusal: A refusal', 'passed', 'observations', {
            duration: 30,
            rawStatus: 'observed',
            tags: ['errors.status'],
            extra: { case: 'refusal', exchanges: ['two'] },
          }),
        ],
        environment: {
          appName: 'Acme',
          extra: { baseUrl: 'https://gateway.example.com', run: 'run-1', profile: 'full' },
        },
      },
    });
  });

  test('tells of a case what decided it, and no command where there is none', () => {
    const [first] = JSON.parse(renderCtrf(mixedFindings())).results.tests;
    expect(first).toMatchObject({
      message: 'The value has another type.',
      trace:
        'chat.result.usage.total-tokens at /usage/total_tokens: The value has another type.\n  expected: an integer\n  actual: "21"',
    });
  });

  test('skips an expected failure and says why; what was left open stays as it is', () => {
    const report = withCase('plain', { exchanges: ['one', 'gone'] });
    const { results } = JSON.parse(renderCtrf({ ...report, target: { ...report.target, name: '' } }, known));
    expect(results.summary).toMatchObject({ passed: 1, failed: 0, skipped: 2, other: 2 });
    expect(results.tests.slice(0, 2)).toMatchObject([
      {
        status: 'skipped',
        duration: 400,
        suite: ['target', 'results'],
        message: 'expected failure: ticket 12\nThe value has another type.',
        extra: { expectedFailure: 'ticket 12' },
      },
      { status: 'other' },
    ]);
  });
});

const ajv = new Ajv2020({ strict: false });
formats.default(ajv);
const validate = ajv.compile(ctrfSchema);

interface Test {
  readonly name: string;
  readonly status: string;
  readonly message?: string;
  readonly trace?: string;
  readonly tags: readonly string[];
}

const resultsOf = (document: string) =>
  (JSON.parse(document) as { results: { summary: Record<string, number>; tests: Test[] } }).results;

test.each([sampleReport, hostileReport, conformantReport, unreachableReport])(
  'is valid by the schema of CTRF (%o)',
  (make) => {
    validate(JSON.parse(renderCtrf(make())));
    expect(validate.errors).toBe(null);
  },
);

test('nothing of a target steers a reader, and the same report gives the same document', () => {
  const values = JSON.stringify(resultsOf(renderCtrf(hostileReport())));
  expect(values).not.toMatch(/\\u00[01]|\\ud8|[\u007f-\u009f\u202a-\u202e]/);
  expect(renderCtrf(hostileReport())).toBe(renderCtrf(hostileReport()));
});

test('an entry of a baseline that is an error itself fails, in a suite of its own', () => {
  const report = sampleReport();
  const plain = resultsOf(renderCtrf(report)).summary;
  const problems = [{ requirement: 'r', entry: 'r (b.yaml:2)', message: 'stale: it passes now' }];
  const document = renderCtrf(report, { ...noExpectedFailures, problems });
  validate(JSON.parse(document));
  expect(validate.errors).toBe(null);
  const { summary, tests } = resultsOf(document);
  const more = (name: 'tests' | 'failed' | 'suites') => Number(summary[name]) - Number(plain[name]);
  expect([more('tests'), more('failed'), more('suites')]).toEqual([1, 1, 1]);
  expect(tests.at(-1)).toMatchObject({
    name: 'r (b.yaml:2)',
    status: 'failed',
    suite: [report.target.name, 'baseline'],
    message: 'stale: it passes now',
  });
});
