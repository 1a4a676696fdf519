import { isObject } from './json.ts';
import type { OpenAPIV3_1 } from 'openapi-types';
import { extension, oncePerExtension, ownSection, withAdditions } from './extension.ts';
import { once, oncePer } from './once.ts';
import { fileDigest } from './package-root.ts';
import { protocolFacts } from './protocols.ts';
import type { Json, Protocol } from './vocabulary.ts';
import { yamlDocument } from './yaml-document.ts';

const file = 'spec/openapi.yaml';

/** The OpenAPI 3.1 document of the interface, with what an extension in force adds; made once for each. */
export const openapi: () => OpenAPIV3_1.Document = oncePerExtension(
  () => withAdditions(yamlDocument(file), extension()?.additions ?? []) as OpenAPIV3_1.Document,
);

/** `sha256:` digest of the OpenAPI document. */
export const openapiDigest: () => string = once(() => fileDigest(file));

export const jsonTypes = ['string', 'integer', 'number', 'boolean', 'array', 'object'] as const;
export type JsonType = (typeof jsonTypes)[number];

/** Whether a value has a type that a parameter may have. */
export const hasType: Readonly<Record<JsonType, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  array: Array.isArray,
  integer: Number.isInteger,
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  object: isObject,
};

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
  /** What other interfaces allow: a gateway that passes on all that it is given takes these, and no nonsense. */
  readonly elsewhere?: readonly string[];
  /** A value that stands for any; of ours. */
  readonly example?: Json;
  readonly default?: boolean | number | string;
  /** Headings of the interface that state it. */
  readonly sections: readonly string[];
}

interface ParameterSchema extends Pick<Parameter, 'minimum' | 'maximum' | 'default'> {
  readonly type: JsonType | readonly JsonType[];
  readonly enum?: readonly string[];
  readonly 'x-elsewhere'?: readonly string[];
  readonly examples?: readonly Json[];
  readonly 'x-sections'?: readonly string[];
}

interface RequestSchema {
  readonly required: readonly string[];
  readonly properties: Readonly<Record<string, ParameterSchema>>;
}

function requestSchema(protocol: Protocol): RequestSchema {
  const name = protocolFacts[protocol].requestSchema;
  const schema: unknown = openapi().components?.schemas?.[name];
  if (schema === undefined) throw new Error(`${file}: there is no schema ${name}`);
  return schema as RequestSchema;
}

const parameter = (name: string, schema: ParameterSchema, required: boolean): Parameter => ({
  name,
  slug: name.replaceAll('_', '-'),
  types: typeof schema.type === 'string' ? [schema.type] : schema.type,
  required,
  sections: schema['x-sections'] ?? [ownSection],
  ...(schema.minimum === undefined ? {} : { minimum: schema.minimum }),
  ...(schema.maximum === undefined ? {} : { maximum: schema.maximum }),
  ...(schema.enum === undefined ? {} : { allowed: schema.enum }),
  ...(schema['x-elsewhere'] === undefined ? {} : { elsewhere: schema['x-elsewhere'] }),
  ...(schema.examples?.[0] === undefined ? {} : { example: schema.examples[0] }),
  ...(schema.default === undefined ? {} : { default: schema.default }),
});

/** The body parameters of an endpoint, in the order of its table (sections 4.1 to 4.4). */
export const parameters = (protocol: Protocol): readonly Parameter[] => byProtocol()(protocol);

const byProtocol = oncePerExtension(() =>
  oncePer((protocol: Protocol): readonly Parameter[] => {
    const { required, properties } = requestSchema(protocol);
    return Object.entries(properties).map(([name, schema]) =>
      parameter(name, schema, required.includes(name)),
    );
  }),
);

/** What a parameter is where it is left out; undefined where nothing states it. */
export const defaultOf = (protocol: Protocol, name: string): Parameter['default'] =>
  parameters(protocol).find((parameter) => parameter.name === name)?.default;
