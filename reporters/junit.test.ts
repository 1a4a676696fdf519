import { describe, expect, test } from 'vitest';
import type { Report, ReportCase } from '../suites/types/report.ts';
import { known, mixedFindings, withCase } from './empty-report.fixture.ts';
import { type ExpectedFailures, noExpectedFailures } from './baseline/expected-failures.ts';
import { renderJunit } from './junit.ts';
import { smallReport } from './small.fixture.ts';
import { parseXml } from './well-formed.fixture.ts';
import { sampleReport } from './sample.fixture.ts';

describe('JUnit', () => {
  const suite = (name: string, counts: string, test: string): string =>
    `<testsuite name="${name}" tests="1" ${counts} timestamp="2026-11-21T09:00:00.000Z">\n${test}\n</testsuite>`;
  const property = (name: string, ...values: string[]): string =>
    values.map((value) => `<property name="${name}" value="${value}"/>`).join('');

  test('has a suite for each area in the order of the areas, and all of a case in its place', () => {
    const lines = [
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<testsuites name="conformance 1.2.0: Acme" tests="5" failures="1" errors="1" skipped="2">',
      suite(
        'results',
        'failures="1" errors="0" skipped="0"',
        `<testcase classname="results" name="plain: A plain chat completion" time="0.400"><properties>${property('requirement', 'chat.result.id', 'chat.result.usage.total-tokens')}${property('section', '2.5')}${property('exchange', 'one')}</properties><failure message="The value has another type." type="chat.result.usage.total-tokens">chat.result.usage.total-tokens at /usage/total_tokens: The value has another type.
  expected: an integer
  actual: "21"

curl -X POST 'https://gateway.example.com/v1/chat/completions' \\
  -d 'hello'</failure></testcase>`,
      ),
      suite(
        'parameters',
        'failures="0" errors="1" skipped="0"',
        `<testcase classname="parameters" name="hot: A temperature above 2" time="1.264"><properties>${property('requirement', 'chat.param.temperature.range')}${property('section', '4.3', '8')}${property('exchange', 'two', 'three')}</properties><error message="The control failed." type="chat.param.temperature.range">chat.param.temperature.range: The control failed.
  expected: a result
  actual: status 503

curl -X POST 'https://gateway.example.com/v1/chat/completions' \\
  -d 'hot'</error></testcase>`,
      ),
      suite(
        'streams',
        'failures="0" errors="0" skipped="1"',
        `<testcase classname="streams" name="streamed: A chat stream" time="1.234"><properties>${property('requirement', 'chat.result.id', 'chat.stream.incremental')}${property('section', '2.5', '1', '4.3')}${property('exchange', 'three')}</properties><skipped message="inconclusive: All of it came at once."/></testcase>`,
      ),
      suite(
        'errors',
        'failures="0" errors="0" skipped="1"',
        `<testcase classname="errors" name="limit: A spent rate limit" time="0.000"><properties>${property('requirement', 'errors.rate-limit.distinct')}${property('section', '7')}</properties><skipped message="untested: No token with a spent rate limit."/></testcase>`,
      ),
      suite(
        'observations',
        'failures="0" errors="0" skipped="0"',
        `<testcase classname="observations" name="refusal: A refusal" time="0.030"><properties>${property('requirement', 'errors.status')}${property('section', '7')}${property('exchange', 'two')}</properties></testcase>`,
      ),
      '</testsuites>',
      '',
    ];
    expect(renderJunit(smallReport())).toBe(lines.join('\n'));
  });

  const kindOf = (report: Report, id: string, expectations?: ExpectedFailures): string | undefined => {
    const cases = parseXml(renderJunit(report, expectations)).children.flatMap(({ children }) => children);
    const found = cases.find(({ attributes }) => attributes.name?.startsWith(`${id}: `));
    const outcome = found?.children.find(({ name }) => name !== 'properties');
    return outcome && `${outcome.name}: ${outcome.attributes.message}`;
  };

  test('has a case as an error only where it leaves open what can fail, for a reason that counts', () => {
    const [open] = smallReport().cases.find(({ id }) => id === 'hot')?.findings ?? [];
    if (open === undefined) throw new Error('the fixture has a finding');
    const hot = (change: Partial<ReportCase>) => kindOf(withCase('hot', change), 'hot');
    expect(hot({ findings: [{ ...open, requirement: 'errors.status' }] })).toBe(
      'skipped: inconclusive: The control failed.',
    );
    expect(hot({ findings: [{ ...open, requirement: 'of.another.suite' }] })).toBe(
      'error: The control failed.',
    );
    expect(hot({ findings: [{ ...open, nonGating: 'too-fast' }, open] })).toBe('error: The control failed.');
    expect(hot({ findings: [] })).toBe('error: not run');
    expect(hot({ findings: [], requirements: ['errors.status'] })).toBe('skipped: inconclusive: not run');
  });

  test('tells of a case what decided it, no command where there is none, no section of what is gone', () => {
    const { requirements, ...rest } = mixedFindings();
    const others = requirements.filter(({ id }) => id !== 'chat.result.usage.total-tokens');
    const document = renderJunit({ ...rest, requirements: others });
    expect(document).toContain(
      `<property name="section" value="2.5"/><property name="exchange" value="one"/></properties><failure message="The value has another type." type="chat.result.usage.total-tokens">chat.result.usage.total-tokens at /usage/total_tokens: The value has another type.
  expected: an integer
  actual: "21"</failure>`,
    );
  });

  test('has a case that was not judged as an error where any of its requirements can fail', () => {
    const requirements = ['errors.status', 'chat.result.id'];
    expect(kindOf(withCase('hot', { findings: [], requirements }), 'hot')).toBe('error: not run');
    const [failed] = smallReport().cases[0]?.findings ?? [];
    const [open] = smallReport().cases[2]?.findings ?? [];
    if (failed === undefined || open === undefined) throw new Error('the fixture has findings');
    const nonGating = { ...failed, verdict: 'untested' as const };
    expect(kindOf(withCase('hot', { findings: [nonGating, open] }), 'hot')).toBe(
      'skipped: inconclusive: All of it came at once.',
    );
  });

  test('skips an expected failure, and not a case that was left open', () => {
    expect(kindOf(smallReport(), 'plain', known)).toBe('skipped: expected failure: ticket 12');
    expect(kindOf(smallReport(), 'hot', known)).toBe('error: The control failed.');
    expect(renderJunit(smallReport(), known)).toContain(
      '<property name="expected-failure" value="ticket 12"/>',
    );
  });

  test('takes no time from an exchange that the report does not have', () => {
    expect(renderJunit(withCase('plain', { exchanges: ['one', 'gone'] }))).toContain('time="0.400"');
  });
});

test('an entry that is an error itself fails in a suite of its own', () => {
  const report = sampleReport();
  const known = {
    ...noExpectedFailures,
    problems: [{ requirement: 'r', entry: 'r (b.yaml:2)', message: 'stale: <&' }],
  };
  const plain = parseXml(renderJunit(report));
  const beside = parseXml(renderJunit(report, known));
  const count = ({ attributes }: typeof plain, name: string) => Number(attributes[name]);
  for (const name of ['tests', 'failures']) expect(count(beside, name)).toBe(count(plain, name) + 1);
  expect(beside.children.length).toBe(plain.children.length + 1);
  const suite = beside.children.at(-1);
  expect(suite?.attributes).toMatchObject({ name: 'baseline', tests: '1', failures: '1', errors: '0' });
  const test = suite?.children[0];
  expect(test?.attributes).toMatchObject({ classname: 'baseline', name: 'r (b.yaml:2)' });
  expect(test?.children.map(({ name }) => name)).toEqual(['properties', 'failure']);
  expect(test?.children[1]?.attributes).toEqual({ message: 'stale: <&', type: 'r' });
});
