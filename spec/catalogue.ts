import { once } from './once.ts';
import { requirement, requirements } from './requirements.ts';
import { yamlDocument } from './yaml-document.ts';

const file = 'spec/catalogue.yaml';

const labels = ['A', 'B'] as const;
export type Label = (typeof labels)[number];

/** One of the two ways to read a place of the interface. */
export interface Reading {
  readonly label: Label;
  readonly statement: string;
  readonly sections: readonly string[];
  /** The row of the register that has this statement. */
  readonly requirement?: string;
}

/** Which reading a target follows, by what is seen of it. */
export type Sign =
  /** By the cases of a conflict of the register. */
  | { readonly conflict: string }
  /** By the verdicts of requirements that can fail. */
  | { readonly requirements: readonly string[]; readonly pass: Label; readonly fail?: Label }
  /** By the replies that observations look at. */
  | { readonly requirements: readonly string[]; readonly answered: Label; readonly refused: Label };

/** A place where the interface contradicts itself, or can be read in two ways. */
export interface CatalogueEntry {
  readonly id: string;
  readonly kind: 'contradiction' | 'ambiguity';
  readonly readings: readonly [Reading, Reading];
  /** The reading that the suite judges by; absent where neither is held. */
  readonly held?: Label;
  readonly why: string;
  /** Ids of the requirements that rest on it. */
  readonly requirements: readonly string[];
  /** Absent where no reply shows which reading a target follows. */
  readonly seen?: Sign;
}

type Fields = Readonly<Record<string, unknown>>;

/** The mapping with these keys and no others; `optional` ones may be missing. Throws otherwise. */
function mapping(
  value: unknown,
  where: string,
  keys: readonly string[],
  optional: readonly string[],
): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error(`${where} is not a mapping`);
  for (const key of Object.keys(value))
    if (![...keys, ...optional].includes(key)) throw new Error(`${where}: unknown key ${key}`);
  for (const key of keys) if (!Object.hasOwn(value, key)) throw new Error(`${where}: ${key} is missing`);
  return value as Fields;
}

function text(value: unknown, where: string): string {
  if (typeof value !== 'string' || value.trim() === '') throw new Error(`${where} is not a text`);
  return value;
}

function texts(value: unknown, where: string): readonly string[] {
  if (!Array.isArray(value) || value.length === 0) throw new Error(`${where} is not a list of texts`);
  return value.map((each) => text(each, where));
}

function oneOf<T extends string>(value: unknown, values: readonly T[], where: string): T {
  const found = values.find((each) => each === value);
  if (found === undefined) throw new Error(`${where} is none of ${values.join(', ')}`);
  return found;
}

/** Ids of the register. */
const knownIds = (value: unknown, where: string): readonly string[] =>
  texts(value, where).map((id) => {
    if (!requirements().some((row) => row.id === id))
      throw new Error(`${where}: no requirement is called ${id}`);
    return id;
  });

function readingOf(value: unknown, label: Label, where: string): Reading {
  if (Object.hasOwn(Object(value), 'requirement')) {
    const [id = ''] = knownIds([mapping(value, where, ['requirement'], []).requirement], where);
    const { statement, sections } = requirement(id);
    return { label, statement, sections, requirement: id };
  }
  const { sections, statement } = mapping(value, where, ['sections', 'statement'], []);
  return { label, statement: text(statement, where), sections: texts(sections, where) };
}

function signOf(value: unknown, where: string, rest: readonly string[]): Sign {
  if (Object.hasOwn(Object(value), 'conflict'))
    return { conflict: text(mapping(value, where, ['conflict'], []).conflict, where) };
  const isObserved = Object.hasOwn(Object(value), 'answered');
  const given = isObserved
    ? mapping(value, where, ['requirements', 'answered', 'refused'], [])
    : mapping(value, where, ['requirements', 'pass'], ['fail']);
  const ids = knownIds(given.requirements, where);
  for (const id of ids) {
    if (!rest.includes(id)) throw new Error(`${where}: ${id} does not rest on the entry`);
    if ((requirement(id).level === 'unspecified') !== isObserved)
      throw new Error(`${where}: ${id} ${isObserved ? 'has a verdict' : 'is only observed'}`);
  }
  const label = (name: string): Label => oneOf(given[name], labels, `${where}.${name}`);
  if (isObserved) return { requirements: ids, answered: label('answered'), refused: label('refused') };
  return {
    requirements: ids,
    pass: label('pass'),
    ...(given.fail === undefined ? {} : { fail: label('fail') }),
  };
}

function entryOf(value: unknown, position: number): CatalogueEntry {
  const id = text(Object(value).id, `entry ${position}: id`);
  const where = `entry ${position} (${id})`;
  const keys = ['id', 'kind', 'readings', 'why', 'requirements'];
  const given = mapping(value, where, keys, ['held', 'seen']);
  const { A, B } = mapping(given.readings, `${where}: readings`, labels, []);
  const ids = knownIds(given.requirements, `${where}: requirements`);
  return {
    id,
    kind: oneOf(given.kind, ['contradiction', 'ambiguity'], `${where}: kind`),
    readings: [readingOf(A, 'A', `${where}: A`), readingOf(B, 'B', `${where}: B`)],
    ...(given.held === undefined ? {} : { held: oneOf(given.held, labels, `${where}: held`) }),
    why: text(given.why, `${where}: why`),
    requirements: ids,
    ...(given.seen === undefined ? {} : { seen: signOf(given.seen, `${where}: seen`, ids) }),
  };
}

/** Entries of a catalogue, checked. Throws on an unknown key, a bad value, a missing key and a repeated id. */
export function checkCatalogue(value: unknown): readonly CatalogueEntry[] {
  if (!Array.isArray(value)) throw new Error('the catalogue is not a list');
  const entries = value.map((each: unknown, index) => entryOf(each, index + 1));
  const repeated = entries.find(({ id }, at) => entries.findIndex((other) => other.id === id) !== at);
  if (repeated) throw new Error(`${repeated.id} stands twice`);
  return entries;
}

/** The catalogue of contradictions and ambiguities, parsed and checked once. Throws as `checkCatalogue` does. */
export const catalogue: () => readonly CatalogueEntry[] = once(() => checkCatalogue(yamlDocument(file)));
