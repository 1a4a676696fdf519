import { AsyncLocalStorage } from 'node:async_hooks';
import { isObject } from './json.ts';
import { oncePerObject } from './once.ts';
import type { Probe } from './probes.ts';
import { type Group, groups } from './protocols.ts';
import type { Cell, Impact, Json, Protocol } from './vocabulary.ts';

/** The section of what no section of the interface states. */
export const ownSection = 'own';

/** Where something stands in a file of an extension. */
export interface Place {
  readonly file: string;
  readonly line: number;
}

/** Something that is added to a schema of the OpenAPI document. */
export interface Addition {
  readonly schema: string;
  readonly value: { readonly [name: string]: Json };
  readonly place: Place;
}

/** A path of a gateway, beside those of the interface, that has the shape of one of them. */
interface OwnPath {
  readonly path: string;
  readonly shape: Protocol;
  readonly place: Place;
}

/** A family that a group is served through a protocol, of which the interface does not say so. */
export interface OwnCell extends Omit<Cell, 'stream'> {
  readonly place: Place;
}

/** A probe of an own statement: of these protocols, or of all. */
interface OwnProbe extends Omit<Probe, 'requirement' | 'where' | 'id'> {
  readonly protocols?: readonly Protocol[];
}

/** Which replies a statement is about: to valid requests, to those of each class of failures (7), or all that are no outage. */
type ReplyKind = 'answers' | 'streams' | 'invalid tokens' | 'spent limits' | 'wrong requests' | 'every reply';

/** What each reply of a kind has. */
export interface ReplyRule {
  readonly of: ReplyKind;
  /** Of which protocols; of all where it is left out. */
  readonly protocols?: readonly Protocol[];
  readonly status?: readonly number[];
  /** Without its parameters. */
  readonly contentType?: string;
  /** A header that is there and not empty. */
  readonly header?: string;
  /** Whether no two replies have the same value of it. */
  readonly unique?: boolean;
  /** JSON Schema of a body; of streams that of each event, or of each with the type that `event` names. */
  readonly body?: { readonly [name: string]: Json };
  /** The types that events of a stream may have. */
  readonly eventTypes?: readonly string[];
  /** The type of an event that each stream has. */
  readonly event?: string;
  /** What stands behind the last event of a stream. */
  readonly terminator?: string;
  /** Seconds from the request to the end of the reply, but for as many as passing outages explain. */
  readonly within?: number;
}

/** A statement that a team makes of its own gateway. */
export interface OwnStatement {
  readonly id: string;
  readonly statement: string;
  readonly level: 'own';
  readonly impact: Impact;
  readonly probes?: readonly OwnProbe[];
  readonly replies?: readonly ReplyRule[];
}

/** What a gateway states beyond the interface: additions to the OpenAPI document, and statements. */
export interface Extension {
  /** What it was read from, each with the `sha256:` digest of its bytes. */
  readonly files: readonly { readonly name: string; readonly digest: string }[];
  readonly additions: readonly Addition[];
  readonly paths: readonly OwnPath[];
  /** Token groups, beside those of the interface. */
  readonly groups: readonly { readonly name: Group; readonly place: Place }[];
  readonly cells: readonly OwnCell[];
  /** The path of them that is asked, and nothing else: in place of the one of the interface that has its shape. */
  readonly at?: OwnPath;
  readonly statements: readonly OwnStatement[];
  /** Of each statement, by its id. */
  readonly places: Readonly<Record<string, Place>>;
}

/** One that states nothing yet. */
export const statesNothing: Extension = {
  files: [],
  additions: [],
  paths: [],
  groups: [],
  cells: [],
  statements: [],
  places: {},
};

const inForce = new AsyncLocalStorage<Extension | undefined>();

/** The extension that the register and the OpenAPI document have now; undefined where they are the interface's. */
export const extension = (): Extension | undefined => inForce.getStore();

/** Does something, and whatever it starts, with the documents of an extension; with those of the interface where it is undefined. */
export const withExtension = <T>(of: Extension | undefined, run: () => T): T => inForce.run(of, run);

/** The token groups of the interface, and behind them those that an extension in force adds. */
export const allGroups = (): readonly Group[] => [
  ...groups,
  ...(extension()?.groups ?? []).map(({ name }) => name),
];

/** Calls the function at the first use with each extension, and keeps what it gave. */
export function oncePerExtension<T>(make: () => T): () => T {
  const plain = {};
  const kept = oncePerObject((_: object) => make());
  return () => kept(extension() ?? plain);
}

/** A value with another one added as an Overlay adds it: mappings are merged, lists joined. */
function merged(value: unknown, added: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(added)) return [...value, ...added];
  if (!isObject(value) || !isObject(added)) return added;
  const members = Object.entries(added).filter(([name]) => name !== '__proto__');
  const mergedMembers = members.map(([name, each]) => [
    name,
    Object.hasOwn(value, name) ? merged(value[name], each) : each,
  ]);
  return { ...value, ...Object.fromEntries(mergedMembers) };
}

/** An OpenAPI document with additions to its schemas. */
export const withAdditions = (document: unknown, additions: readonly Addition[]): unknown =>
  additions.reduce<unknown>(
    (sum, { schema, value }) => merged(sum, { components: { schemas: { [schema]: value } } }),
    document,
  );
