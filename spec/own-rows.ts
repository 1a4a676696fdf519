import { isObject, type JsonObject } from './json.ts';
import { openapi } from './openapi.ts';
import {
  extension,
  ownSection,
  type OwnStatement,
  type Place,
  type ReplyRule,
  withExtension,
} from './extension.ts';
import { cellsWhere, type MatrixCell, ownCells } from './matrix.ts';
import { protocolFacts } from './protocols.ts';
import { withArticle } from './text.ts';
import { type Protocol, protocols } from './vocabulary.ts';
import type { Probe, ProbeGroup } from './probes.ts';

/** Of which protocols a probe or a rule of replies is; where a path is asked, of that of its shape alone. */
export function protocolsOf({ protocols: of = protocols }: Pick<ReplyRule, 'protocols'>) {
  const at = extension()?.at;
  return at === undefined ? of : of.filter((protocol) => protocol === at.shape);
}

/** Whether a statement says something of the path that is asked. */
const isOfPath = ({ probes = [], replies = [] }: OwnStatement): boolean =>
  [...probes, ...replies].some((each) => protocolsOf(each).length > 0);

/** The probes of the statements of an extension in force; none without one. */
export function ownProbes(): readonly ProbeGroup[] {
  const probes = (extension()?.statements ?? []).flatMap(({ id, probes: own = [] }) =>
    own.map(({ protocols: of, ...probe }, at): Probe => {
      const number = own.length > 1 ? `.${at + 1}` : '';
      return {
        ...probe,
        requirement: id,
        id: `{protocol}.${id}${number}${probe.values ? '.{as}' : ''}`,
        where: { protocol: protocolsOf(of ? { protocols: of } : {}) },
      };
    }),
  );
  return probes.length === 0 ? [] : [{ each: 'protocol', probes }];
}

interface Field {
  /** The names that lead to it, `*` for the elements of a list. */
  readonly path: readonly string[];
  readonly schema: { readonly type?: unknown; readonly const?: unknown };
  readonly required: boolean;
}

/** The fields that a schema has and an earlier one has not, or does not require. */
function addedFields(schema: unknown, before: unknown, path: readonly string[] = []): readonly Field[] {
  if (!isObject(schema)) return [];
  const earlier = isObject(before) ? before : {};
  const properties = isObject(schema.properties) ? schema.properties : {};
  const known = isObject(earlier.properties) ? earlier.properties : {};
  const isRequired = ({ required }: JsonObject, name: string): boolean =>
    Array.isArray(required) && required.includes(name);
  const own = Object.entries(properties).flatMap(([name, field]): readonly Field[] => {
    const at = [...path, name];
    const required = isRequired(schema, name);
    const isNew = !Object.hasOwn(known, name) || (required && !isRequired(earlier, name));
    return [
      ...(isNew && isObject(field) ? [{ path: at, schema: field, required }] : []),
      ...addedFields(field, known[name], at),
    ];
  });
  return [...own, ...addedFields(schema.items, earlier.items, [...path, '*'])];
}

function described({ type, const: constant }: Field['schema']): string {
  if (constant !== undefined) return `the value \`${JSON.stringify(constant)}\``;
  return [type]
    .flat()
    .map((each) => withArticle(String(each)))
    .join(' or ');
}

function fieldRow(protocol: Protocol, { path, schema, required }: Field): object {
  const name = path.join('.');
  const { endpoint } = protocolFacts[protocol];
  return {
    id: `${protocol}.result.${name.replaceAll('_', '-').replaceAll('*', 'each').toLowerCase()}`,
    sections: [ownSection],
    level: 'own',
    impact: 'client',
    statement: required
      ? `The result of ${endpoint} has \`${name}\`: ${described(schema)}.`
      : `\`${name}\` of the result of ${endpoint}, where it is there, is ${described(schema)}.`,
    about: { protocol, field: path.join('/') },
  };
}

/** A cell of the support matrix that an extension states. */
function cellRow({ family, protocol, group, expectation, requirements: [id] }: MatrixCell): object {
  const isOfGroup = cellsWhere({ family, protocol }).some((other) => other.expectation !== 'refused');
  return {
    id,
    sections: [ownSection],
    level: 'own',
    impact: expectation === 'served' ? 'client' : isOfGroup ? 'credential' : 'lenient',
    statement: `A model of the family ${family} is ${expectation} by ${protocolFacts[protocol].endpoint} with a token of the group ${group}.`,
    about: { protocol },
  };
}

/** The rows, not checked yet, that an extension in force adds to the register, beside those of its parameters. */
export function ownRows(): readonly object[] {
  const { statements = [], at } = extension() ?? {};
  const schemas = openapi().components?.schemas;
  const before = withExtension(undefined, () => openapi().components?.schemas);
  const fields = protocols.flatMap((protocol) => {
    const name = protocolFacts[protocol].resultSchema;
    return addedFields(schemas?.[name], before?.[name]).map((field) => fieldRow(protocol, field));
  });
  return [
    ...fields,
    ...ownCells().map(cellRow),
    ...statements.map((row) => ({
      id: row.id,
      sections: [ownSection],
      level: row.level,
      impact: row.impact,
      statement: row.statement,
      ...(at && isOfPath(row) ? { about: { protocol: at.shape } } : {}),
    })),
  ];
}

/** Whether a value has something at these names. */
const has = (value: unknown, [name, ...others]: readonly string[]): boolean =>
  name === undefined || (isObject(value) && Object.hasOwn(value, name) && has(value[name], others));

/** Names between those of a field in the schema of its result. */
const stepsTo = (field: string): readonly string[] =>
  field.split('/').flatMap((name) => (name === '*' ? ['items'] : ['properties', name]));

/** Where an extension in force states a row; undefined where it only requires what the interface has. */
export function placeOf({
  id,
  about,
}: {
  readonly id: string;
  readonly about?: { readonly protocol: Protocol; readonly parameter?: string; readonly field?: string };
}): Place | undefined {
  const { places = {}, additions = [] } = extension() ?? {};
  if (places[id] !== undefined || about === undefined) return places[id];
  const { protocol, parameter, field = '' } = about;
  const { requestSchema, resultSchema } = protocolFacts[protocol];
  const [of, names] = parameter ? [requestSchema, ['properties', parameter]] : [resultSchema, stepsTo(field)];
  return additions.find(({ schema, value }) => schema === of && has(value, names))?.place;
}
