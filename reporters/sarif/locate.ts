import { readFileSync } from 'node:fs';
import { isMap, isSeq, LineCounter, type Node, parseDocument, type Scalar } from 'yaml';
import { packageFile } from '../../spec/package-root.ts';
import { paths, type Protocol, protocols } from '../../spec/vocabulary.ts';
import { once } from '../../spec/yaml-file.ts';

/** A line of a file of this package. */
export interface Line {
  readonly file: 'spec/openapi.yaml' | 'spec/requirements.yaml';
  /** From 1. */
  readonly line: number;
}

/** The request schema of each endpoint, whose properties are its parameters. */
const requestSchemas: Readonly<Record<Protocol, string>> = {
  responses: 'ResponsesRequest',
  messages: 'MessagesRequest',
  chat: 'ChatRequest',
  images: 'ImageRequest',
};

function lined(file: Line['file']) {
  const lines = new LineCounter();
  const document = parseDocument(readFileSync(packageFile(file), 'utf8'), { lineCounter: lines });
  const lineOf = (node: Node | null | undefined): number => lines.linePos(node?.range?.[0] ?? 0).line;
  return { document, lineOf };
}

/** Gives the line of a key of the OpenAPI document; nothing where the path leads nowhere. */
const openapiLines = once(() => {
  const { document, lineOf } = lined('spec/openapi.yaml');
  return (path: readonly string[]): number | undefined => {
    const holder: unknown = document.getIn(path.slice(0, -1), true);
    if (!isMap(holder)) return undefined;
    const pair = holder.items.find(({ key }) => (key as Scalar).value === path.at(-1));
    return pair === undefined ? undefined : lineOf(pair.key as Node);
  };
});

const registerLines = once(() => {
  const { document, lineOf } = lined('spec/requirements.yaml');
  const list: unknown = document.contents;
  const rows = isSeq(list) ? list.items.filter((row) => isMap(row)) : [];
  return new Map(rows.map((row) => [String(row.get('id')), lineOf(row)]));
});

/** Path of what a requirement belongs to in the OpenAPI document: a parameter, a header, else an operation. */
function openapiPath(id: string): readonly string[] | undefined {
  const [first = '', second = '', third = ''] = id.split('.');
  const protocolOf = (name: string) => protocols.find((protocol) => protocol === name);
  const protocol =
    first === 'family' ? protocolOf(third) : first === 'chat-image' ? 'chat' : protocolOf(first);
  if (protocol === undefined) return undefined;
  if (second === 'param') {
    const parameter = [
      'components',
      'schemas',
      requestSchemas[protocol],
      'properties',
      third.replaceAll('-', '_'),
    ];
    if (openapiLines()(parameter) !== undefined) return parameter;
  }
  if (id.startsWith('messages.auth.version.')) return ['components', 'parameters', 'VersionHeader'];
  return ['paths', paths[protocol], 'post'];
}

/**
 * The line that a requirement belongs to: its parameter or operation in the OpenAPI document, else its
 * row in the register. For a requirement of another suite, the beginning of the register.
 */
export function locate(id: string): Line {
  const path = openapiPath(id);
  const line = path === undefined ? undefined : openapiLines()(path);
  if (line !== undefined) return { file: 'spec/openapi.yaml', line };
  return { file: 'spec/requirements.yaml', line: registerLines().get(id) ?? 1 };
}
