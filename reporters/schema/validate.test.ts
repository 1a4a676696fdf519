import { expect, test } from 'vitest';
import { impacts } from '../../spec/vocabulary.ts';
import type { Report } from '../../suites/types/report.ts';
import { unreachableReport, hostileReport, conformantReport, sampleReport } from '../sample.fixture.ts';
import { validateEvidence, validateReport } from './validate.ts';

test.each([
  ['several failures', sampleReport],
  ['hostile text', hostileReport],
  ['nothing wrong', conformantReport],
  ['nothing judged', unreachableReport],
])('a report with %s is valid, also after a round trip through JSON', (_, make) => {
  expect(validateReport(make())).toEqual([]);
  expect(validateReport(JSON.parse(JSON.stringify(make())))).toEqual([]);
});

test.each(Object.keys(unreachableReport()))(
  'a report without %s is not valid, and that is said',
  (member) => {
    const { [member as keyof Report]: _, ...rest } = unreachableReport();
    expect(validateReport(rest)).toEqual([`/: must have required property '${member}'`]);
  },
);

test('a bad value is named by its pointer', () => {
  const report = sampleReport();
  const [first, ...rest] = report.requirements;
  expect(validateReport({ ...report, requirements: [{ ...first, verdict: 'passed' }, ...rest] })).toEqual([
    '/requirements/0/verdict: must be equal to one of the allowed values',
  ]);
});

test('an impact is one of three, and may be absent', () => {
  const report = sampleReport();
  const [first, ...rest] = report.requirements;
  const having = (impact: string) => ({ ...report, requirements: [{ ...first, impact }, ...rest] });
  for (const impact of impacts) expect(validateReport(having(impact))).toEqual([]);
  expect(validateReport(having('grave'))).toEqual([
    '/requirements/0/impact: must be equal to one of the allowed values',
  ]);
});

test('a member that a row does not have is refused, one at the top is not', () => {
  const report = sampleReport();
  const [first, ...rest] = report.exchanges;
  expect(validateReport({ ...report, exchanges: [{ ...first, secret: 1 }, ...rest] })).toEqual([
    '/exchanges/0: must NOT have unevaluated properties (secret)',
  ]);
  expect(validateReport({ ...report, trend: [] })).toEqual([]);
});

const header = {
  kind: 'header',
  schemaVersion: 3,
  suite: { name: 'x', version: '1', requirementsDigest: 'sha256:0', openapiDigest: 'sha256:1' },
  runId: 'r',
  target: {
    name: 'x',
    baseUrl: 'http://x',
    versionHeader: { name: 'a-version', value: '1' },
    models: {},
    tokens: { default: 'TOKEN' },
  },
  seed: 1,
  selection: { suites: [], requirements: [], families: [], groups: [] },
  profile: 'full',
  skipCostly: false,
  startedAt: '2026-11-21T09:14:03.120Z',
};

test('each kind of evidence line is valid', () => {
  const end = { kind: 'end', finishedAt: header.startedAt, partial: false };
  const lines = [header, { kind: 'unsent', id: 'a', unsent: { kind: 'stopped' } }, end];
  for (const line of lines) expect(validateEvidence(line), line.kind).toEqual([]);
  for (const exchange of sampleReport().exchanges.slice(0, 20)) {
    const { shortened: _, ...whole } = exchange;
    expect(validateEvidence({ kind: 'exchange', ...whole })).toEqual([]);
  }
});

test('an evidence line of no kind, or lacking a member, is refused by name', () => {
  expect(validateEvidence({ kind: 'note' })).toEqual(['/kind: must be equal to one of the allowed values']);
  expect(validateEvidence({ kind: 'unsent', id: 'a' })[0]).toBe("/: must have required property 'unsent'");
  const { seed: _, ...rest } = header;
  expect(validateEvidence(rest)[0]).toBe("/: must have required property 'seed'");
});
