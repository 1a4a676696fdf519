import { expect, test, describe } from 'vitest';
import { noExpectedFailures } from '../baseline/expected-failures.ts';
import { smallReport, withRow } from '../small.fixture.ts';
import { locate } from './locate.ts';
import { renderSarif } from './sarif.ts';
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { packageFile } from '../../spec/package-root.ts';
import { requirements } from '../../spec/requirements.ts';
import { entry, expectedIn } from '../baseline/entries.fixture.ts';
import { unreachableReport, hostileReport, conformantReport, sampleReport } from '../sample.fixture.ts';
import { sarifSchema } from './sarif.schema.fixture.ts';

interface Run {
  readonly tool: { readonly driver: { readonly rules: readonly object[]; readonly informationUri: string } };
  readonly results: readonly {
    readonly ruleId: string;
    readonly message: { readonly text: string };
    readonly suppressions?: readonly object[];
  }[];
}
const runOf = (document: string): Run => {
  const [run] = (JSON.parse(document) as { runs: Run[] }).runs;
  if (run === undefined) throw new Error('there is no run');
  return run;
};

const at = (id: string) => [
  {
    physicalLocation: {
      artifactLocation: { uri: `conformance/${locate(id).file}`, uriBaseId: 'PACKAGES' },
      region: { startLine: locate(id).line },
    },
  },
];
const result = (ruleId: string, ruleIndex: number, level: string, text: string, cases: string[]) => ({
  ruleId,
  ruleIndex,
  level,
  message: { text },
  locations: at(ruleId),
  partialFingerprints: { 'requirement/v1': ruleId },
  properties: { cases },
});

test('a small report is one run: its tool, its target, and a result for each that is not kept', () => {
  const { tool, ...run } = runOf(renderSarif(smallReport()));
  expect(tool.driver).toMatchObject({
    name: 'conformance',
    semanticVersion: '1.2.0',
    informationUri: 'pkg:npm/conformance@1.2.0',
  });
  expect(run).toEqual({
    automationDetails: {
      id: 'conformance/',
      description: { text: 'Acme at https://gateway.example.com' },
    },
    invocations: [
      {
        executionSuccessful: true,
        startTimeUtc: '2026-11-21T09:00:00.000Z',
        endTimeUtc: '2026-11-21T09:00:12.500Z',
      },
    ],
    originalUriBaseIds: {
      PACKAGES: {
        description: {
          text: 'The folder that conformance 1.2.0 is installed in, such as node_modules.',
        },
      },
    },
    columnKind: 'utf16CodeUnits',
    properties: { causes: [] },
    results: [
      result(
        'chat.result.usage.total-tokens',
        1,
        'error',
        'usage.total_tokens is an integer. The value has another type, at /usage/total_tokens. Expected: an integer. Actual: "21". 1 finding.',
        ['plain'],
      ),
      result(
        'chat.stream.incremental',
        3,
        'note',
        'Text arrives as it is made. All of it came at once. Expected: text over time. Actual: 2 ms. 1 finding.',
        ['streamed'],
      ),
      result(
        'chat.param.temperature.range',
        2,
        'warning',
        'temperature lies between 0 and 2. The control failed. Expected: a result. Actual: status 503. 1 finding.',
        ['hot'],
      ),
    ],
  });
});

test('each requirement is a rule with its sections, its level, and the reading that is held', () => {
  const { rules } = runOf(renderSarif(smallReport())).tool.driver;
  expect(rules).toHaveLength(8);
  expect(rules.slice(1, 3)).toEqual([
    {
      id: 'chat.result.usage.total-tokens',
      shortDescription: { text: 'usage.total_tokens is an integer.' },
      fullDescription: { text: 'usage.total_tokens is an integer.' },
      help: {
        text: 'Interface section 2.5; docs/interface.md#chat.result.usage.total-tokens in the package. `gateway-conformance explain chat.result.usage.total-tokens` describes how it is judged.',
      },
      helpUri: 'pkg:npm/conformance@1.2.0#docs/interface.md',
      defaultConfiguration: { level: 'error' },
      properties: { tags: ['derived', 'section 2.5'] },
    },
    {
      id: 'chat.param.temperature.range',
      shortDescription: { text: 'temperature lies between 0 and 2.' },
      fullDescription: { text: 'temperature lies between 0 and 2. Reading held: Both ends are allowed.' },
      help: {
        text: 'Interface sections 4.3, 8; docs/interface.md#chat.param.temperature.range in the package. `gateway-conformance explain chat.param.temperature.range` describes how it is judged.',
      },
      helpUri: 'pkg:npm/conformance@1.2.0#docs/interface.md',
      defaultConfiguration: { level: 'error' },
      properties: { tags: ['stated', 'section 4.3', 'section 8'] },
    },
  ]);
});

test('a run that was stopped was not successful', () => {
  const report = smallReport();
  const stopped = { ...report, run: { ...report.run, partial: true } };
  expect(runOf(renderSarif(stopped))).toMatchObject({ invocations: [{ executionSuccessful: false }] });
});

test('what was left undecided is not suppressed, even where its failure would be expected', () => {
  const ids = ['chat.result.usage.total-tokens', 'chat.param.temperature.range'];
  const known = { ...noExpectedFailures, requirements: new Map(ids.map((id) => [id, 'ticket 12'])) };
  const { results } = runOf(renderSarif(smallReport(), known));
  expect(results.map(({ ruleId, suppressions }) => [ruleId, suppressions?.length])).toEqual([
    ['chat.result.usage.total-tokens', 1],
    ['chat.stream.incremental', 0],
    ['chat.param.temperature.range', 0],
  ]);
});

test('a message of more than a thousand characters is cut', () => {
  const text = (length: number): string => {
    const long = withRow(smallReport(), 'chat.result.id', { statement: 'x'.repeat(length) });
    const [rule] = runOf(renderSarif(long)).tool.driver.rules as { shortDescription: { text: string } }[];
    return rule?.shortDescription.text ?? '';
  };
  expect(text(1_000)).toBe('x'.repeat(1_000));
  expect(text(1_001)).toBe(`${'x'.repeat(1_000)}…`);
});

test('an image asked for in a chat is located at the operation of Chat Completions', () => {
  const { file, line } = locate('chat-image.reply');
  expect({ file, line }).toEqual(locate('chat.result.extra-fields'));
});

const ajv = new Ajv2020({ strict: false });
formats.default(ajv);
const validate = ajv.compile(sarifSchema);

test.each([sampleReport, hostileReport, conformantReport, unreachableReport])(
  'is valid by the schema of SARIF 2.1.0 (%o)',
  (make) => {
    validate(JSON.parse(renderSarif(make())));
    expect(validate.errors).toBe(null);
  },
);

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

test('text of a target makes no link and fills no placeholder', () => {
  const report = sampleReport();
  const [row] = report.requirements;
  if (row === undefined) throw new Error('the fixture has rows');
  const evil = { ...row, verdict: 'fail' as const, cases: [], reason: '[here](javascript:x) {0} \\ \u001b' };
  const [result] = runOf(renderSarif({ ...report, requirements: [evil] })).results;
  expect(result?.message.text).toContain('\\[here\\](javascript:x) {{0}} \\\\ ‹ESC›');
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
