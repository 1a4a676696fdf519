import { readFileSync } from 'node:fs';
import type { Document, Node, Pair, Scalar } from 'yaml';
import { packageFile } from '../../spec/package-root.ts';
import { once } from '../../spec/once.ts';
import { protocolFacts } from '../../spec/protocols.ts';
import { type Requirement, requirements } from '../../spec/requirements.ts';
import { yamlLibrary } from '../../spec/yaml-library.ts';

/** Every property of that name in a schema, in whatever it refers to, and in what that is made of. */
function propertiesNamed(name: string, schema: unknown, document: Document): readonly Pair[] {
  const { isMap, isScalar, isSeq } = yamlLibrary();
  if (isSeq(schema)) return schema.items.flatMap((item) => propertiesNamed(name, item, document));
  if (!isMap(schema)) return [];
  const own = schema.get('properties', true);
  const found = isMap(own) ? own.items.filter(({ key }) => isScalar(key) && key.value === name) : [];
  if (found.length > 0) return found;
  const reference = schema.get('$ref');
  const target =
    typeof reference === 'string' ? document.getIn(reference.split('/').slice(1), true) : undefined;
  const parts = schema.items.filter(
    ({ key }) => !isScalar(key) || !['if', 'contains'].includes(String(key.value)),
  );
  return [target, ...parts.map(({ value }) => value)].flatMap((part) =>
    propertiesNamed(name, part, document),
  );
}

function lined(file: 'spec/openapi.yaml' | 'spec/requirements.yaml') {
  const { LineCounter, parseDocument } = yamlLibrary();
  const lines = new LineCounter();
  const document = parseDocument(readFileSync(packageFile(file), 'utf8'), { lineCounter: lines });
  const lineOf = (node: Node | null | undefined): number => lines.linePos(node?.range?.[0] ?? 0).line;
  return { document, lineOf };
}

const openapi = once(() => lined('spec/openapi.yaml'));

/** The line of a key of the OpenAPI document; nothing where the path leads nowhere. */
function openapiLine(path: readonly string[]): number | undefined {
  const { document, lineOf } = openapi();
  const holder: unknown = document.getIn(path.slice(0, -1), true);
  if (!yamlLibrary().isMap(holder)) return undefined;
  const pair = holder.items.find(({ key }) => (key as Scalar).value === path.at(-1));
  return pair && lineOf(pair.key as Node);
}

const registerLines = once(() => {
  const { isMap, isSeq } = yamlLibrary();
  const { document, lineOf } = lined('spec/requirements.yaml');
  const list: unknown = document.getIn(['rows'], true);
  const rows = isSeq(list) ? list.items.filter((row) => isMap(row)) : [];
  return new Map(rows.map((row) => [String(row.get('id')), lineOf(row)]));
});

type About = NonNullable<Requirement['about']>;

/** Path of what a requirement is about in the OpenAPI document: a parameter, a header, else an operation. */
function openapiPath({ protocol, parameter, header }: About): readonly string[] {
  const { requestSchema, path } = protocolFacts[protocol];
  if (parameter !== undefined) return ['components', 'schemas', requestSchema, 'properties', parameter];
  return header === undefined ? ['paths', path, 'post'] : ['components', 'parameters', header];
}

/** The line of a result's field, as deep as its names lead, where a requirement is about one. */
function fieldLine({ protocol, field }: About): number | undefined {
  if (field === undefined) return undefined;
  const { document, lineOf } = openapi();
  // Only this one has the link of an image.
  const schema = protocol === 'images' ? 'ImageUrlResult' : protocolFacts[protocol].resultSchema;
  let at: readonly Pair[] = [];
  let within: readonly unknown[] = [document.getIn(['components', 'schemas', schema], true)];
  for (const name of field.split('/')) {
    const found = within.flatMap((part) => propertiesNamed(name, part, document));
    if (found.length === 0) continue;
    at = found;
    within = found.map(({ value }) => value);
  }
  return at[0] && lineOf(at[0].key as Node);
}

/** The line of a requirement: of its part of the OpenAPI document, else of its row in the register, else its beginning. */
export function locate(id: string): { readonly file: string; readonly line: number } {
  const about = requirements().find((row) => row.id === id)?.about;
  const line = about && (fieldLine(about) ?? openapiLine(openapiPath(about)));
  if (line !== undefined) return { file: 'spec/openapi.yaml', line };
  return { file: 'spec/requirements.yaml', line: registerLines().get(id) ?? 1 };
}
