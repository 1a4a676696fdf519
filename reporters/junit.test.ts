import { expect, test } from 'vitest';
import { allEntries, entry, expectedIn } from './baseline/entries.fixture.ts';
import { noExpectedFailures } from './baseline/expected-failures.ts';
import { renderJunit } from './junit.ts';
import { conformantReport, unreachableReport, hostileReport, sampleReport } from './sample.fixture.ts';
import { parseXml, type XmlNode } from './well-formed.fixture.ts';

const cases = (document: XmlNode): XmlNode[] => document.children.flatMap((suite) => suite.children);
const withChild = (document: XmlNode, name: string): XmlNode[] =>
  cases(document).filter(({ children }) => children.some((child) => child.name === name));

test.each([sampleReport, hostileReport, conformantReport, unreachableReport])(
  'the document is well-formed (%o)',
  (make) => {
    const report = make();
    const document = parseXml(renderJunit(report));
    expect(document.name).toBe('testsuites');
    expect(cases(document)).toHaveLength(report.cases.length);
  },
);

test('failures fail, hard inconclusives are errors, non-gating ones and untested ones are skipped', () => {
  const report = sampleReport();
  const document = parseXml(renderJunit(report));
  const told = {
    failures: withChild(document, 'failure').length,
    errors: withChild(document, 'error').length,
    skipped: withChild(document, 'skipped').length,
  };
  expect(told).toEqual({ failures: 18, errors: 4, skipped: 8 });
  expect(document.attributes).toMatchObject({ tests: '300', failures: '18', errors: '4', skipped: '8' });
});

test('a case that never ran is an error, not a pass', () => {
  const report = conformantReport();
  const [first, ...rest] = report.cases;
  if (first === undefined) throw new Error('the fixture has cases');
  const document = parseXml(
    renderJunit({ ...report, cases: [{ ...first, verdict: 'inconclusive' }, ...rest] }),
  );
  expect(withChild(document, 'error').map(({ children }) => children.at(-1)?.attributes.message)).toEqual([
    'not run',
  ]);
});

test('a failure carries requirement and section as properties, and the command that shows it', () => {
  const failed = withChild(parseXml(renderJunit(sampleReport())), 'failure').find(
    ({ children }) => children.at(-1)?.attributes.type === 'chat.result.0.0',
  );
  const properties = failed?.children[0]?.children.map(
    ({ attributes }) => `${attributes.name}=${attributes.value}`,
  );
  expect(properties).toEqual(
    expect.arrayContaining(['requirement=chat.result.0.0', 'section=2.5', 'exchange=exchange-1']),
  );
  expect(failed?.children.at(-1)?.text).toContain('expected: an integer\n  actual: "21"');
  expect(failed?.children.at(-1)?.text).toContain('curl -sS -X POST');
});

test('the same report gives the same document', () => {
  expect(renderJunit(hostileReport())).toBe(renderJunit(hostileReport()));
});

test('an expected failure is skipped, says why, and keeps its finding and a property', () => {
  const report = sampleReport();
  const all = parseXml(renderJunit(report, expectedIn(report, ...allEntries())));
  expect(all.attributes).toMatchObject({ tests: '300', failures: '0', errors: '4', skipped: '26' });
  const known = withChild(all, 'skipped').find(({ children }) => children.at(-1)?.text.includes('"21"'));
  expect(known?.children.at(-1)?.attributes.message).toBe(
    'expected failure: ticket 12 (Kim), until 2027-03-31',
  );
  expect(known?.children[0]?.children.at(-1)?.attributes).toEqual({
    name: 'expected-failure',
    value: 'ticket 12 (Kim), until 2027-03-31',
  });
  const some = parseXml(renderJunit(report, expectedIn(report, entry('chat.result.0.0'))));
  expect(Number(some.attributes.failures)).toBeGreaterThan(0);
  expect(Number(some.attributes.failures)).toBeLessThan(18);
});

test('an expired entry leaves a failure a failure', () => {
  const report = sampleReport();
  const late = allEntries().map((one) => ({ ...one, expires: '2026-01-01' }));
  expect(renderJunit(report, expectedIn(report, ...late))).toBe(renderJunit(report));
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
