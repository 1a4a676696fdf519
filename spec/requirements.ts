import {
  type Impact,
  impacts,
  isGatingLevel,
  type Level,
  levels,
  type Protocol,
  protocols,
} from './vocabulary.ts';
import { isObject } from './json.ts';
import { once } from './once.ts';
import { fileDigest } from './package-root.ts';
import { type Facts, fill, holds, type Where } from './templates.ts';
import { factsOf, type Thing, things } from './things.ts';
import { yamlDocument } from './yaml-document.ts';

const file = 'spec/requirements.yaml';

/** An operation, or one thing of it. */
interface About {
  readonly protocol: Protocol;
  /** Of the request, by its name. */
  readonly parameter?: string;
  /** Of the request, by its name among the parameters of the OpenAPI document. */
  readonly header?: string;
  /** Of the result: the names that lead to it, with a slash between them. */
  readonly field?: string;
}

/** A row of the register: one statement of the interface, or one thing that it does not specify. */
export interface Requirement {
  readonly id: string;
  /** Headings of the interface that state it, the most specific one first. */
  readonly sections: readonly string[];
  readonly level: Level;
  /** Of stated and derived requirements. */
  readonly impact?: Impact;
  readonly statement: string;
  /** The version of the statements from which on it stands as it does. */
  readonly since: number;
  /** New or stricter in this version of the statements: judged and shown, and not counted before the next one. */
  readonly provisional?: true;
  /** What of the OpenAPI document it speaks of; absent where it speaks of no single operation. */
  readonly about?: About;
  /** The reading held where the text can be read in two ways. */
  readonly reading?: string;
  /** Why it can't be judged over HTTP. No case refers to such a row. */
  readonly excluded?: string;
  /** Of two statements that contradict each other: the name of the conflict and which of the two this is. */
  readonly conflict?: string;
  readonly label?: 'A' | 'B';
}

const isVersion = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 1;

const isText = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';

const fields: Readonly<Record<keyof Requirement, (value: unknown) => boolean>> = {
  id: (value) => typeof value === 'string' && /^[a-z0-9]+([.-][a-z0-9]+)*$/.test(value),
  sections: (value) => Array.isArray(value) && value.length > 0 && value.every(isText),
  level: (value) => levels.some((level) => level === value),
  impact: (value) => impacts.some((impact) => impact === value),
  statement: isText,
  since: isVersion,
  provisional: (value) => value === true,
  about: (value) => isObject(value) && protocols.some((protocol) => protocol === value.protocol),
  reading: isText,
  excluded: isText,
  conflict: isText,
  label: (value) => value === 'A' || value === 'B',
};

const mandatory: readonly (keyof Requirement)[] = ['id', 'sections', 'level', 'statement'];

function checkRow(row: unknown, position: number, version: number): Requirement {
  if (typeof row !== 'object' || row === null) throw new Error(`row ${position} is not a mapping`);
  const given = row as Readonly<Record<string, unknown>>;
  const where = `row ${position} (${String(given.id)})`;
  for (const key of mandatory) {
    if (given[key] === undefined) throw new Error(`${where}: ${key} is missing`);
  }
  for (const [key, value] of Object.entries(given)) {
    if (!Object.hasOwn(fields, key)) throw new Error(`${where}: unknown key ${key}`);
    if (!fields[key as keyof Requirement](value)) throw new Error(`${where}: ${key} has a bad value`);
  }
  const conflicting = given.level === 'conflicting';
  if (conflicting !== (given.conflict !== undefined) || conflicting !== (given.label !== undefined)) {
    throw new Error(`${where}: conflict and label belong to the level conflicting, and to no other`);
  }
  const checked = row as Requirement;
  if (isGatingLevel(checked.level) !== (checked.impact !== undefined)) {
    throw new Error(
      `${where}: stated and derived rows have an impact (${impacts.join(', ')}), and no others`,
    );
  }
  return standing(checked, version, where);
}

/** The row with its `since`. Throws where it is newer than the register, or is not provisional where it has to be. */
function standing(row: Requirement, version: number, where: string): Requirement {
  const { since = 1, provisional = false } = row;
  if (since > version)
    throw new Error(`${where}: since ${since} is newer than version ${version} of the statements`);
  const isNew = since === version && version > 1;
  if (isNew && !provisional) throw new Error(`${where}: is new in version ${version}: it is provisional`);
  if (provisional && !isNew)
    throw new Error(`${where}: counts in version ${version}: it is provisional no more`);
  return { ...row, since };
}

/** Rows that stand for each thing of a kind. Of those with the same id the first whose `where` holds counts. */
interface Repeated {
  readonly each: Thing;
  readonly rows: readonly (Facts & { readonly where?: Where })[];
}

const isRepeated = (row: unknown): row is Repeated =>
  typeof row === 'object' && row !== null && things.some((thing) => thing === (row as Repeated).each);

function repeated({ each, rows }: Repeated): readonly unknown[] {
  return factsOf(each).flatMap((facts) => {
    const made = new Map<unknown, unknown>();
    for (const { where = {}, ...template } of rows) {
      if (!holds(where, facts)) continue;
      const row = fill(template, facts) as Requirement;
      const about = {
        protocol: facts.protocol,
        ...(each === 'parameter' ? { parameter: facts.name } : {}),
      };
      if (!made.has(row.id)) made.set(row.id, { ...row, sections: row.sections.flat(), about });
    }
    return [...made.values()];
  });
}

/** The rows of a register with those that are repeated for each thing written out. */
export const writtenOut = (rows: unknown): unknown =>
  Array.isArray(rows) ? rows.flatMap((row: unknown) => (isRepeated(row) ? repeated(row) : [row])) : rows;

/**
 * Rows of a register of some version of the statements, checked. Throws on an unknown key, a bad value, a missing key, a
 * repeated id, and a row that is provisional in another version than its first.
 */
export function checkRegister(rows: unknown, version = 1): readonly Requirement[] {
  if (!Array.isArray(rows)) throw new Error('the register is not a list');
  const seen = new Set<string>();
  return rows.map((row: unknown, index) => {
    const checked = checkRow(row, index + 1, version);
    if (seen.has(checked.id)) throw new Error(`row ${index + 1}: ${checked.id} stands twice`);
    seen.add(checked.id);
    return checked;
  });
}

const register = once(() => yamlDocument(file) as { readonly version: number; readonly rows: unknown });

/** The version of the statements, a whole number from 1: apart from that of the package. */
export const statementsVersion = (): number => register().version;

/** The register of sections 1 to 9, parsed, written out and checked once. Throws as `checkRegister` does. */
export const requirements: () => readonly Requirement[] = once(() =>
  checkRegister(writtenOut(register().rows), statementsVersion()),
);

const byId = once(() => new Map(requirements().map((row) => [row.id, row])));

/** The row of an id. Throws where there is none. */
export function requirement(id: string): Requirement {
  const row = byId().get(id);
  if (row === undefined) throw new Error(`there is no requirement ${id}`);
  return row;
}

/** `sha256:` digest of the register. */
export const requirementsDigest: () => string = once(() => fileDigest(file));
