import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { packageFile } from '../../spec/package-root.ts';
import { requirements } from '../../spec/requirements.ts';
import { entry, expectedIn } from '../baseline/entries.fixture.ts';
import { unreachableReport, hostileReport, conformantReport, sampleReport } from '../sample.fixture.ts';
import { locate } from './locate.ts';
import { renderSarif } from './sarif.ts';
import { sarifSchema } from './sarif.schema.fixture.ts';

const ajv = new Ajv2020({ strict: false });
formats.default(ajv);
const validate = ajv.compile(sarifSchema);

interface Result {
  readonly ruleId: string;
  readonly ruleIndex: number;
  readonly level: string;
  readonly message: { readonly text: string };
  readonly suppressions?: readonly object[];
}

const runOf = (document: string) => {
  const [run] = (
    JSON.parse(document) as { runs: { tool: { driver: { rules: { id: string }[] } }; results: Result[] }[] }
  ).runs;
  if (run === undefined) throw new Error('there is no run');
  return { rules: run.tool.driver.rules, results: run.results };
};

test.each([sampleReport, hostileReport, conformantReport, unreachableReport])(
  'is valid by the schema of SARIF 2.1.0 (%o)',
  (make) => {
    validate(JSON.parse(renderSarif(make())));
    expect(validate.errors).toBe(null);
  },
);

test('failed is an error, a gating inconclusive a warning, a non-gating one a note; each with its rule', () => {
  const { rules, results } = runOf(renderSarif(sampleReport()));
  const levels = (level: string) => results.filter((result) => result.level === level).length;
  expect([levels('error'), levels('warning'), levels('note')]).toEqual([9, 2, 2]);
  expect(rules).toHaveLength(150);
  for (const { ruleId, ruleIndex } of results) expect(rules[ruleIndex]?.id).toBe(ruleId);
  const wrong = results.find(({ ruleId }) => ruleId === 'chat.result.0.0');
  expect(wrong?.message.text).toContain(', at /usage/total_tokens. Expected: an integer. Actual: "21".');
});

test('an expected failure is suppressed with its reason, and by 3.27.23 all others are said not to be', () => {
  const report = sampleReport();
  const document = renderSarif(
    report,
    expectedIn(report, entry('chat.result.0.0'), entry('chat.result.2.0')),
  );
  validate(JSON.parse(document));
  expect(validate.errors).toBe(null);
  const { results } = runOf(document);
  const known = results.filter(({ suppressions }) => suppressions?.length !== 0);
  expect(known.map(({ ruleId, suppressions }) => [ruleId, suppressions])).toEqual([
    [
      'chat.result.0.0',
      [{ kind: 'external', justification: 'Expected failure: ticket 12 (Kim), until 2027-03-31' }],
    ],
  ]);
  for (const { suppressions } of runOf(renderSarif(report)).results) expect(suppressions).toBe(undefined);
});

test('a result points into this package, never into the repository of whoever uploads it', () => {
  const [run] = (
    JSON.parse(renderSarif(sampleReport())) as {
      runs: {
        originalUriBaseIds: Record<string, { uri?: string; description: { text: string } }>;
        results: { locations: { physicalLocation: { artifactLocation: object } }[] }[];
      }[];
    }
  ).runs;
  expect(run?.results[0]?.locations[0]?.physicalLocation).toMatchObject({
    artifactLocation: {
      uri: expect.stringMatching(/^inference-gateway-conformance\/spec\/\w+\.yaml$/),
      uriBaseId: 'PACKAGES',
    },
  });
  expect(run?.originalUriBaseIds.PACKAGES).toEqual({
    description: { text: expect.stringContaining('is installed in') },
  });
});

test('text of a target makes no link and fills no placeholder', () => {
  const report = sampleReport();
  const [row] = report.requirements;
  if (row === undefined) throw new Error('the fixture has rows');
  const evil = { ...row, verdict: 'fail' as const, cases: [], reason: '[here](javascript:x) {0} \\ \u001b' };
  const [result] = runOf(renderSarif({ ...report, requirements: [evil] })).results;
  expect(result?.message.text).toContain('\\[here\\](javascript:x) {{0}} \\\\ ‹ESC›');
});

test('the same report gives the same document', () => {
  expect(renderSarif(hostileReport())).toBe(renderSarif(hostileReport()));
});

describe('the line of a requirement', () => {
  const lineAt = ({ file, line }: ReturnType<typeof locate>): string =>
    readFileSync(packageFile(file), 'utf8').split('\n')[line - 1]?.trim() ?? '';

  test.each([
    ['chat.param.max-tokens.limit', 'spec/openapi.yaml', 'max_tokens:'],
    ['images.param.response-format.allowed', 'spec/openapi.yaml', 'response_format:'],
    ['responses.param.previous-response-id.type', 'spec/openapi.yaml', 'previous_response_id:'],
    ['messages.auth.version.required', 'spec/openapi.yaml', 'VersionHeader:'],
    ['chat.result.usage.total-tokens', 'spec/openapi.yaml', 'total_tokens: { type: integer }'],
    ['responses.result.output.text', 'spec/openapi.yaml', 'properties: { text: { type: string } }'],
    ['images.result.data.url', 'spec/openapi.yaml', 'properties: { url: { type: string } }'],
    ['chat.result.extra-fields', 'spec/openapi.yaml', 'post:'],
    ['chat.param.unknown-parameter', 'spec/openapi.yaml', 'post:'],
    ['family.conversational.messages', 'spec/openapi.yaml', 'post:'],
    ['errors.authentication.distinct', 'spec/requirements.yaml', '- id: errors.authentication.distinct'],
    ['service.output', 'spec/requirements.yaml', '- id: service.output'],
  ])('%s stands in %s', (id, file, text) => {
    expect(locate(id).file).toBe(file);
    expect(lineAt(locate(id))).toBe(text);
  });

  test('the operation is the one of the protocol', () => {
    const { line } = locate('family.conversational.messages');
    const above = readFileSync(packageFile('spec/openapi.yaml'), 'utf8').split('\n')[line - 2];
    expect(above?.trim()).toBe('/v1/messages:');
  });

  test('is a line of a file for every row of the register, and for one of another suite', () => {
    for (const { id } of requirements()) expect(lineAt(locate(id)), id).toMatch(/^(- id: \S+|\w+:.*)$/);
    expect(locate('of.another.suite')).toEqual({ file: 'spec/requirements.yaml', line: 1 });
  });
});
