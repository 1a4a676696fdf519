import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect, test } from 'vitest';
import { allEntries, expectedIn } from './baseline/entries.fixture.ts';
import { noExpectedFailures } from './baseline/expected-failures.ts';
import { renderCtrf } from './ctrf.ts';
import { ctrfSchema } from './ctrf.schema.fixture.ts';
import { unreachableReport, hostileReport, conformantReport, sampleReport } from './sample.fixture.ts';

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

test('the counts are those of the tests', () => {
  const { summary, tests } = resultsOf(renderCtrf(sampleReport()));
  for (const status of ['passed', 'failed', 'skipped', 'other'])
    expect(summary[status], status).toBe(tests.filter((one) => one.status === status).length);
  expect(summary).toMatchObject({ tests: 300, failed: 18, skipped: 4, other: 8, duration: 44_683 });
});

test('a failure says what was expected and how to see it, and names its requirement', () => {
  const failed = resultsOf(renderCtrf(sampleReport())).tests.find(
    ({ status, tags }) => status === 'failed' && tags.includes('chat.result.0.0'),
  );
  expect(failed?.message).toBe('The value has another type.');
  expect(failed?.trace).toContain('expected: an integer\n  actual: "21"');
  expect(failed?.trace).toContain('curl -sS -X POST');
});

test('nothing of a target steers a reader, and the same report gives the same document', () => {
  const values = JSON.stringify(resultsOf(renderCtrf(hostileReport())));
  expect(values).not.toMatch(/\\u00[01]|\\ud8|[\u007f-\u009f\u202a-\u202e]/);
  expect(renderCtrf(hostileReport())).toBe(renderCtrf(hostileReport()));
});

test('an expected failure is skipped, and says why; what it was stays to be read', () => {
  const report = sampleReport();
  const document = renderCtrf(report, expectedIn(report, ...allEntries()));
  validate(JSON.parse(document));
  expect(validate.errors).toBe(null);
  const { summary, tests } = resultsOf(document);
  expect(summary).toMatchObject({ tests: 300, failed: 0, skipped: 22, other: 8 });
  const known = tests.find(({ tags, trace }) => tags.includes('chat.result.0.0') && trace !== undefined);
  expect(known).toMatchObject({
    status: 'skipped',
    rawStatus: 'fail',
    extra: { expectedFailure: 'ticket 12 (Kim), until 2027-03-31' },
  });
  expect(known?.message).toBe(
    'expected failure: ticket 12 (Kim), until 2027-03-31\nThe value has another type.',
  );
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
