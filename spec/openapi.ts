import type { OpenAPIV3_1 } from 'openapi-types';
import { type Protocol, paths, protocols } from './vocabulary.ts';
import { once } from './once.ts';
import { fileDigest } from './package-root.ts';
import { yamlDocument } from './yaml-document.ts';

const file = 'spec/openapi.yaml';

/** The OpenAPI 3.1 document of the interface, parsed once. */
export const openapi: () => OpenAPIV3_1.Document = once(() => yamlDocument(file) as OpenAPIV3_1.Document);

/** `sha256:` digest of the OpenAPI document. */
export const openapiDigest: () => string = once(() => fileDigest(file));

export type JsonType = 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object';

/** A parameter of a request body (sections 4.1 to 4.4), as the OpenAPI document gives it. */
export interface Parameter {
  readonly name: string;
  /** The name in kebab-case, as requirement ids have it. */
  readonly slug: string;
  readonly types: readonly JsonType[];
  readonly required: boolean;
  /** Inclusive bounds. */
  readonly minimum?: number;
  readonly maximum?: number;
  readonly allowed?: readonly string[];
  readonly default?: boolean | number | string;
  /** Headings of the interface that state it. */
  readonly sections: readonly string[];
}

interface ParameterSchema {
  readonly type: JsonType | readonly JsonType[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly enum?: readonly string[];
  readonly default?: boolean | number | string;
  readonly 'x-sections': readonly string[];
}

interface RequestSchema {
  readonly required: readonly string[];
  readonly properties: Readonly<Record<string, ParameterSchema>>;
}

/** What a local `$ref` of the document points at. Throws where it points at nothing. */
function resolved(reference: string): unknown {
  let node: unknown = openapi();
  for (const step of reference.replace(/^#\//, '').split('/')) {
    node = (node as Readonly<Record<string, unknown>> | undefined)?.[step];
  }
  if (node === undefined) throw new Error(`${file}: ${reference} points at nothing`);
  return node;
}

function requestSchema(protocol: Protocol): RequestSchema {
  const body = openapi().paths?.[paths[protocol]]?.post?.requestBody;
  const content = body !== undefined && 'content' in body ? body.content : {};
  const schema = content['application/json']?.schema;
  if (schema === undefined || !('$ref' in schema)) {
    throw new Error(`${file}: ${paths[protocol]} has no request schema by $ref`);
  }
  return resolved(schema.$ref) as RequestSchema;
}

function parameter(name: string, schema: ParameterSchema, required: boolean): Parameter {
  return {
    name,
    slug: name.replaceAll('_', '-'),
    types: typeof schema.type === 'string' ? [schema.type] : schema.type,
    required,
    sections: schema['x-sections'],
    ...(schema.minimum === undefined ? {} : { minimum: schema.minimum }),
    ...(schema.maximum === undefined ? {} : { maximum: schema.maximum }),
    ...(schema.enum === undefined ? {} : { allowed: schema.enum }),
    ...(schema.default === undefined ? {} : { default: schema.default }),
  };
}

const byProtocol = once(
  () =>
    new Map<Protocol, readonly Parameter[]>(
      protocols.map((protocol) => {
        const { required, properties } = requestSchema(protocol);
        const list = Object.entries(properties);
        return [protocol, list.map(([name, schema]) => parameter(name, schema, required.includes(name)))];
      }),
    ),
);

/** The body parameters of an endpoint, in the order of its table (sections 4.1 to 4.4). */
export const parameters = (protocol: Protocol): readonly Parameter[] => byProtocol().get(protocol) ?? [];
