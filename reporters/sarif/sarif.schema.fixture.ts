/**
 * The part of the JSON Schema of SARIF 2.1.0 (OASIS, errata 01) that this reporter writes, for tests.
 * As there, every object but a property bag is closed.
 */
const text = { type: 'string' } as const;
const index = { type: 'integer', minimum: -1 } as const;
const bag = {
  type: 'object',
  properties: { tags: { type: 'array', uniqueItems: true, items: text } },
} as const;

const closed = (properties: object, required: readonly string[] = []): object => ({
  type: 'object',
  additionalProperties: false,
  properties: { ...properties, properties: bag },
  required,
});

const level = { enum: ['none', 'note', 'warning', 'error'] } as const;
const message = closed({ text, markdown: text, id: text, arguments: { type: 'array', items: text } }, [
  'text',
]);
const multiformat = closed({ text, markdown: text }, ['text']);

const rule = closed(
  {
    id: text,
    name: text,
    shortDescription: multiformat,
    fullDescription: multiformat,
    help: multiformat,
    helpUri: { type: 'string', format: 'uri' },
    defaultConfiguration: closed({ enabled: { type: 'boolean' }, level }),
  },
  ['id'],
);

const physicalLocation = closed(
  {
    artifactLocation: closed({ uri: { type: 'string', format: 'uri-reference' }, uriBaseId: text, index }),
    region: closed({
      startLine: { type: 'integer', minimum: 1 },
      startColumn: { type: 'integer', minimum: 1 },
      endLine: { type: 'integer', minimum: 1 },
    }),
  },
  ['artifactLocation'],
);

const result = closed(
  {
    ruleId: text,
    ruleIndex: index,
    level,
    kind: { enum: ['notApplicable', 'pass', 'fail', 'review', 'open', 'informational'] },
    message,
    locations: { type: 'array', items: closed({ physicalLocation }) },
    partialFingerprints: { type: 'object', additionalProperties: text },
    suppressions: {
      type: 'array',
      uniqueItems: true,
      items: closed({ kind: { enum: ['inSource', 'external'] }, justification: text }, ['kind']),
    },
  },
  ['message'],
);

const semver = {
  type: 'string',
  pattern: '^\\d+\\.\\d+\\.\\d+(-[0-9A-Za-z.-]+)?(\\+[0-9A-Za-z.-]+)?$',
} as const;
const dateTime = { type: 'string', format: 'date-time' } as const;

const run = closed(
  {
    tool: closed(
      {
        driver: closed(
          {
            name: text,
            semanticVersion: semver,
            informationUri: { type: 'string', format: 'uri' },
            rules: { type: 'array', uniqueItems: true, items: rule },
          },
          ['name'],
        ),
      },
      ['driver'],
    ),
    automationDetails: closed({ id: text, description: message }),
    invocations: {
      type: 'array',
      items: closed(
        { executionSuccessful: { type: 'boolean' }, startTimeUtc: dateTime, endTimeUtc: dateTime },
        ['executionSuccessful'],
      ),
    },
    originalUriBaseIds: {
      type: 'object',
      additionalProperties: closed({
        uri: { type: 'string', format: 'uri-reference' },
        uriBaseId: text,
        index,
        description: message,
      }),
    },
    columnKind: { enum: ['utf16CodeUnits', 'unicodeCodePoints'] },
    results: { type: 'array', items: result },
  },
  ['tool'],
);

export const sarifSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    $schema: { type: 'string', format: 'uri' },
    version: { enum: ['2.1.0'] },
    runs: { type: 'array', items: run },
  },
  required: ['version', 'runs'],
};
