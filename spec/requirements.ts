import { type Impact, isGatingLevel, type Level, type Protocol } from './vocabulary.ts';
import { extension, oncePerExtension, ownSection, type Place, withExtension } from './extension.ts';
import { once } from './once.ts';
import { ownRows, placeOf } from './own-rows.ts';
import { fileDigest, packageInfo } from './package-root.ts';
import { type Facts, fill, holds, type Thing, things, type Where } from './templates.ts';
import { factsOf } from './things.ts';
import { yamlDocument } from './yaml-document.ts';
import { openapiDigest } from './openapi.ts';

/** Name and version of the suite, and the digests of the documents that it judges by. */
export interface SuiteInfo {
  readonly name: string;
  readonly version: string;
  readonly requirementsDigest: string;
  readonly openapiDigest: string;
  /** The version of the statements; absent in reports of earlier versions. */
  readonly statements?: string;
}

export const suiteInfo = (): SuiteInfo => ({
  ...packageInfo(),
  requirementsDigest: requirementsDigest(),
  openapiDigest: openapiDigest(),
  statements: String(statementsVersion()),
});

const file = 'spec/requirements.yaml';

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
  readonly place?: Place;
}

/** Rows that stand for each thing of a kind. Of those with the same id the first whose `where` holds counts. */
interface Repeated {
  readonly each: Thing;
  readonly rows: readonly (Facts & { readonly where?: Where })[];
}

const isRepeated = (row: unknown): row is Repeated =>
  typeof row === 'object' && row !== null && things.some((thing) => thing === (row as Repeated).each);

const repeated = ({ each, rows }: Repeated): readonly unknown[] =>
  factsOf(each).flatMap((facts) => {
    const made = new Map<unknown, unknown>();
    for (const { where = {}, ...template } of rows) {
      if (!holds(where, facts)) continue;
      const row = fill(template, facts) as Requirement;
      const about = { protocol: facts.protocol, ...(each === 'parameter' ? { parameter: facts.name } : {}) };
      if (!made.has(row.id)) made.set(row.id, { ...row, sections: row.sections.flat(), about });
    }
    return [...made.values()];
  });

/** The rows of a register with those that are repeated for each thing written out. */
export const writtenOut = (rows: readonly unknown[]): readonly unknown[] =>
  rows.flatMap((row) => (isRepeated(row) ? repeated(row) : [row]));

const register = once(
  () => yamlDocument(file) as { readonly version: number; readonly rows: readonly unknown[] },
);

/** The version of the statements, a whole number from 1: apart from that of the package. */
export const statementsVersion = (): number => register().version;

const interfaceRows = (): ReadonlySet<string> => withExtension(undefined, () => new Set(byId().keys()));

/** Whether an extension in force, and not the interface, states a row: all of what has another path, else what is new. */
const isStatedByIt = ({ id, about }: Requirement, known: ReadonlySet<string>): boolean => {
  const at = extension()?.at;
  return at === undefined ? !known.has(id) : about?.protocol === at.shape;
};

/** Of a row that an extension states: where it can fail, it is own. */
function asOwn(row: Requirement): Requirement {
  const place = placeOf(row) ?? extension()?.at?.place;
  const level = isGatingLevel(row.level) ? 'own' : row.level;
  return { ...row, sections: [ownSection], level, ...(place ? { place } : {}) };
}

/** The register of sections 1 to 9, written out once, and behind it the rows of an extension in force. */
export const requirements: () => readonly Requirement[] = oncePerExtension(() => {
  const written = [...writtenOut(register().rows), ...ownRows()] as readonly Requirement[];
  const rows = written.map((row) => ({ ...row, since: row.since ?? 1 }));
  if (extension() === undefined) return rows;
  const known = interfaceRows();
  const isStated = (row: Requirement): boolean => isStatedByIt(row, known);
  return [...rows.filter((row) => !isStated(row)), ...rows.filter(isStated).map(asOwn)];
});

/** Whether an extension in force states the requirement. */
export const isOwn = (id: string): boolean => ownIds().has(id);

const ownIds = oncePerExtension((): ReadonlySet<string> => {
  const known = interfaceRows();
  return new Set(requirements().flatMap((row) => (isStatedByIt(row, known) ? [row.id] : [])));
});

const byId = oncePerExtension(() => new Map(requirements().map((row) => [row.id, row])));

/** The row of an id. Throws where there is none. */
export function requirement(id: string): Requirement {
  const row = byId().get(id);
  if (row === undefined) throw new Error(`there is no requirement ${id}`);
  return row;
}

/** `sha256:` digest of the register. */
export const requirementsDigest: () => string = once(() => fileDigest(file));
