import { readFileSync } from 'node:fs';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { matrix } from './matrix.ts';
import { openapi, openapiDigest, parameters } from './openapi.ts';
import { packageFile } from './package-root.ts';
import { protocolFacts, shownVersion } from './protocols.ts';
import { protocols } from './vocabulary.ts';

const path = packageFile('spec/openapi.yaml');
const source = readFileSync(path, 'utf8');
const broken = source.replace('operationId: responses', 'operationIdentifier: responses');

async function redocly(text: string): Promise<readonly string[]> {
  const config = await createConfig({
    rules: {
      struct: 'error',
      'no-unresolved-refs': 'error',
      'security-defined': 'error',
      'operation-operationId-unique': 'error',
    },
  });
  const problems = await lintFromString({ source: text, absoluteRef: path, config });
  return problems.map((problem) => `${problem.ruleId}: ${problem.message}`);
}

describe('the OpenAPI document', () => {
  it('passes the rules of Redocly, which do find a fault', async () => {
    expect(await redocly(source)).toEqual([]);
    expect(await redocly(broken)).not.toEqual([]);
  });

  it('passes the JSON Schema of OpenAPI 3.1, which does find a fault', async () => {
    const validator = new Validator();
    expect(await validator.validate(parse(source))).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
    expect((await new Validator().validate(parse(broken))).valid).toBe(false);
  });

  it('has one POST operation per protocol, named after it', () => {
    const operations = Object.entries(openapi().paths ?? {}).map(([where, item]) => [
      item?.post?.operationId,
      where,
      Object.keys(item ?? {}),
    ]);
    expect(operations).toEqual(
      protocols.map((protocol) => [protocol, protocolFacts[protocol].path, ['post']]),
    );
  });

  it.each(protocols)('describes %s as the table of protocols does', (protocol) => {
    const facts = protocolFacts[protocol];
    const json = (schema: string) => ({
      content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } },
    });
    const operation = openapi().paths?.[facts.path]?.post;
    expect(operation).toMatchObject({
      'x-sections': expect.arrayContaining([facts.section]),
      security: [facts.credential.header === 'x-api-key' ? { apiKey: [] } : { bearer: [] }],
      requestBody: json(facts.requestSchema),
      responses: { '2XX': json(facts.resultSchema) },
    });
    expect(operation?.parameters !== undefined).toBe(facts.hasVersionHeader);
    expect(openapi().components?.parameters).toMatchObject({
      VersionHeader: { 'x-shown-value': shownVersion },
    });
    const event = facts.stream?.eventSchema;
    expect(operation?.responses?.['2XX']).toEqual(
      facts.stream === null
        ? expect.not.objectContaining({ 'x-stream': expect.anything() })
        : expect.objectContaining({
            'x-stream': event ? expect.objectContaining({ event: `#/components/schemas/${event}` }) : {},
          }),
    );
    const { families, group } = facts.callers;
    for (const family of families) {
      expect(operation).toMatchObject({ 'x-families': { [family]: group === 'any' ? group : [group] } });
    }
    const result = openapi().components?.schemas?.[facts.resultSchema];
    expect(Object.keys(result?.properties ?? {})).toEqual(facts.resultFields);
    const required = parameters(protocol).filter((parameter) => parameter.required);
    expect(required.map(({ name }) => name)).toContain(facts.content);
  });

  it('says nothing of error replies but that there are three classes', () => {
    expect(openapi().components?.responses?.Failure).not.toHaveProperty('content');
    for (const protocol of protocols) {
      const responses = openapi().paths?.[protocolFacts[protocol].path]?.post?.responses ?? {};
      expect(Object.keys(responses), protocol).toEqual(['2XX', 'default']);
    }
  });

  it('closes no schema to unknown fields', () => {
    expect(source).not.toMatch(/additionalProperties|unevaluatedProperties|additionalItems/);
  });

  it('names the families of an operation as the support matrix serves them', () => {
    for (const protocol of protocols) {
      const served: Record<string, string | string[]> = {};
      for (const cell of matrix()) {
        if (cell.protocol !== protocol || cell.stream || cell.expectation !== 'served') continue;
        served[cell.family] = cell.anyGroup ? 'any' : [...(served[cell.family] ?? []), cell.group];
      }
      expect(openapi().paths?.[protocolFacts[protocol].path]?.post, protocol).toMatchObject({
        'x-families': served,
      });
    }
  });

  it('has a stable digest', () => {
    expect(openapiDigest()).toMatch(/^sha256:[0-9a-f]{64}$/);
  });
});

const text = ['string'];
const table = {
  responses: [
    { name: 'model', slug: 'model', types: text, required: true },
    { name: 'input', slug: 'input', types: ['string', 'array'], required: true },
    { name: 'instructions', slug: 'instructions', types: text, required: false },
    { name: 'previous_response_id', slug: 'previous-response-id', types: text, required: false },
    { name: 'stream', slug: 'stream', types: ['boolean'], required: false, default: false },
  ],
  messages: [
    { name: 'model', slug: 'model', types: text, required: true },
    { name: 'messages', slug: 'messages', types: ['array'], required: true },
    { name: 'max_tokens', slug: 'max-tokens', types: ['integer'], required: true },
    { name: 'system', slug: 'system', types: text, required: false },
    {
      name: 'temperature',
      slug: 'temperature',
      types: ['number'],
      required: false,
      minimum: 0,
      maximum: 1,
      default: 1,
    },
    { name: 'stream', slug: 'stream', types: ['boolean'], required: false, default: false },
  ],
  chat: [
    { name: 'model', slug: 'model', types: text, required: true },
    { name: 'messages', slug: 'messages', types: ['array'], required: true },
    {
      name: 'temperature',
      slug: 'temperature',
      types: ['number'],
      required: false,
      minimum: 0,
      maximum: 2,
      default: 1,
    },
    { name: 'top_p', slug: 'top-p', types: ['number'], required: false, minimum: 0, maximum: 1 },
    { name: 'max_tokens', slug: 'max-tokens', types: ['integer'], required: false },
    { name: 'stream', slug: 'stream', types: ['boolean'], required: false, default: false },
  ],
  images: [
    { name: 'model', slug: 'model', types: text, required: true },
    { name: 'prompt', slug: 'prompt', types: text, required: true },
    { name: 'n', slug: 'n', types: ['integer'], required: false, minimum: 1, maximum: 10 },
    {
      name: 'size',
      slug: 'size',
      types: text,
      required: false,
      allowed: ['256x256', '512x512', '1024x1024', '1024x1792', '1792x1024'],
    },
    { name: 'quality', slug: 'quality', types: text, required: false, allowed: ['standard', 'hd'] },
    {
      name: 'response_format',
      slug: 'response-format',
      types: text,
      required: false,
      allowed: ['url', 'b64_json'],
    },
  ],
};

describe('parameters', () => {
  it.each(protocols)('of %s are those of its table, in order', (protocol) => {
    expect(parameters(protocol).map(({ sections: _, elsewhere: __, example: ___, ...rest }) => rest)).toEqual(
      table[protocol],
    );
  });
});
