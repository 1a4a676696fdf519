/** The part of the JSON Schema of CTRF (ctrf.io) that this reporter writes, for tests. Closed, as there. */
const text = { type: 'string' } as const;
const name = { type: 'string', minLength: 1 } as const;
const whole = { type: 'integer' } as const;
const extra = { type: 'object' } as const;
const texts = { type: 'array', items: text } as const;

const closed = (properties: object, required: readonly string[]): object => ({
  type: 'object',
  additionalProperties: false,
  properties: { ...properties, extra },
  required,
});

const counts = ['tests', 'passed', 'failed', 'skipped', 'pending', 'other', 'start', 'stop'] as const;

const summary = closed(
  { ...Object.fromEntries(counts.map((key) => [key, whole])), flaky: whole, suites: whole, duration: whole },
  counts,
);

const testCase = closed(
  {
    id: { type: 'string', format: 'uuid' },
    name,
    status: { enum: ['passed', 'failed', 'skipped', 'pending', 'other'] },
    duration: whole,
    suite: { ...texts, minItems: 1 },
    message: text,
    trace: text,
    rawStatus: text,
    tags: texts,
  },
  ['name', 'status', 'duration'],
);

export const ctrfSchema = closed(
  {
    reportFormat: { const: 'CTRF' },
    specVersion: { type: 'string', pattern: '^[0-9]+\\.[0-9]+\\.[0-9]+$' },
    timestamp: { type: 'string', format: 'date-time' },
    generatedBy: text,
    results: closed(
      {
        tool: closed({ name, version: text }, ['name']),
        summary,
        tests: { type: 'array', items: testCase },
        environment: closed({ appName: text, appVersion: text }, []),
      },
      ['tool', 'summary', 'tests'],
    ),
  },
  ['results', 'reportFormat', 'specVersion'],
);
