import { type JsonType, jsonTypes, type Parameter, parameters } from './openapi.ts';
import { protocolPath } from './paths.ts';
import { protocolFacts } from './protocols.ts';
import type { Facts, Thing } from './templates.ts';
import { inWords, withArticle } from './text.ts';
import { type Protocol, protocols } from './vocabulary.ts';

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The facts of a protocol, by the names that rows use. */
export function factsOfProtocol(protocol: Protocol): Facts {
  const { section, credential, content, hasVersionHeader, stream, ...named } = protocolFacts[protocol];
  const path = protocolPath(protocol);
  const endpoint = path === named.path ? named.endpoint : `the endpoint ${path}`;
  const { header, value } = credential;
  const bounded = parameters(protocol).find(({ minimum }) => minimum !== undefined);
  return {
    protocol,
    endpoint,
    Endpoint: capitalised(endpoint),
    path,
    section,
    content,
    header,
    prefix: value.replace('{token}', ''),
    scheme: value.replace('{token}', '').trimEnd(),
    credential: `${header === 'authorization' ? 'Authorization' : header}: ${value.replace('{token}', '<API_KEY>')}`,
    knows: [
      ...(hasVersionHeader ? ['version'] : []),
      ...(stream === null ? [] : ['stream']),
      ...(bounded ? ['bounds'] : []),
    ],
    ...(stream === null ? {} : { otherEvents: stream.otherEvents }),
    // The first parameter that has a least value.
    ...(bounded ? { bounded: bounded.name, least: bounded.minimum } : {}),
  };
}

/** What lies within the bounds of a parameter and what lies outside them, in words. */
function boundsOf({ minimum, maximum }: Parameter): Facts {
  if (minimum === undefined && maximum === undefined) return {};
  if (maximum === undefined) return { inside: `from ${minimum} on`, outside: `below ${minimum}` };
  if (minimum === undefined) return { inside: `up to ${maximum}`, outside: `above ${maximum}` };
  const inside = `from ${minimum} to ${maximum}, both bounds included,`;
  return { inside, outside: `below ${minimum} or above ${maximum}` };
}

const isNumeric = (...both: readonly JsonType[]): boolean =>
  both.every((type) => type === 'integer' || type === 'number');

export function factsOfParameter(protocol: Protocol, parameter: Parameter): Facts {
  const { name, slug, types, required, allowed, example, sections } = parameter;
  const bounds = boundsOf(parameter);
  return {
    ...factsOfProtocol(protocol),
    name,
    slug,
    required,
    type: types,
    types: types.map(withArticle).join(' or '),
    lacks: jsonTypes.filter((type) => !types.some((each) => each === type || isNumeric(each, type))),
    has: [
      ...Object.keys(bounds),
      ...(allowed ? ['allowed'] : []),
      ...(example === undefined ? [] : ['example']),
      ...(name === protocolFacts[protocol].content ? ['content'] : []),
    ],
    ...bounds,
    ...(example === undefined ? {} : { example }),
    ...(allowed ? { allowed: inWords(allowed) } : {}),
    sections,
    section: sections[0],
  };
}

/** The facts of each thing of a kind, in the order of the interface. */
export const factsOf = (kind: Thing): readonly Facts[] =>
  protocols.flatMap((protocol) =>
    kind === 'protocol'
      ? [factsOfProtocol(protocol)]
      : parameters(protocol).map((parameter) => factsOfParameter(protocol, parameter)),
  );
