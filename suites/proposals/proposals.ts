import type { OwnStatement, ReplyRule } from '../../spec/extension.ts';
import { protocolFacts } from '../../spec/protocols.ts';
import { isTextProtocol, type Protocol, protocols, type Json } from '../../spec/vocabulary.ts';
import type { EvidenceView } from '../checks/evidence-view.ts';
import { meantReplies, type ReplyState } from '../checks/shared/meant-replies.ts';
import { mediaTypeOf } from '../reading/headers.ts';
import { parseJson } from '../reading/json.ts';
import { typesOf } from '../reading/stream.ts';
import type { Exchange } from '../types/exchange.ts';
import { isObject } from '../../spec/json.ts';
import { groupBy } from '../../spec/group-by.ts';

type Schema = { readonly [name: string]: Json };

const typeOf = (value: unknown): string => {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
};

/** A code, and no sentence for people: those are worded anew now and then. */
const isCode = (value: unknown): value is string => typeof value === 'string' && /^[\w.-]+$/.test(value);

/** What several values have in common, as a JSON Schema: the members that each has, their types, and codes that never differ. */
export function schemaOf(values: readonly unknown[]): Schema {
  const [first] = values;
  const types = [...new Set(values.map(typeOf))];
  const [type = 'null'] = types;
  if (types.length !== 1) return { type: types.sort() };
  if (!isObject(first))
    return isCode(first) && values.every((value) => value === first) ? { const: first } : { type };
  const all = values.filter(isObject);
  const required = Object.keys(first).filter((name) => all.every((value) => Object.hasOwn(value, name)));
  const properties = required.map((name) => [name, schemaOf(all.map((value) => value[name]))] as const);
  return { type, ...(required.length > 0 ? { required, properties: Object.fromEntries(properties) } : {}) };
}

/** A statement that runs suggest, with what shows it. */
export interface Proposal {
  readonly statement: OwnStatement;
  /** How many replies have it: each that there is. */
  readonly replies: number;
  /** One of them. */
  readonly exchange: string;
}

type Of = ReplyRule['of'];

/** What is said of the replies of a kind. */
const kinds: Readonly<Record<Exclude<Of, 'every reply'>, readonly [slug: string, words: string]>> = {
  answers: ['answers', 'A result'],
  streams: ['streams', 'A stream'],
  'invalid tokens': ['invalid-token', 'The refusal of an invalid token'],
  'spent limits': ['spent-limit', 'The refusal of a spent limit'],
  'wrong requests': ['wrong-request', 'The refusal of a wrong body'],
};

/** The requests that are refused for a parameter. */
const wrongRequests = ({ plan }: EvidenceView, protocol: Protocol): readonly string[] =>
  plan.cases.flatMap(({ check }) =>
    check.kind === 'refused' && check.requirement.startsWith(`${protocol}.param.`) ? [check.probe] : [],
  );

const repliesOf = (views: readonly EvidenceView[], protocol: Protocol, of: Of): readonly ReplyState[] =>
  views.flatMap((view) =>
    meantReplies({ protocol, rule: { of }, probes: wrongRequests(view, protocol) }, view),
  );

const exchangesOf = (replies: readonly ReplyState[]) => replies.flatMap(({ state }) => state.exchange ?? []);

const headersOf = ({ response }: Exchange): ReadonlyMap<string, string> =>
  new Map(response?.headers.map(([name, value]) => [name, value.trim()]));

/** The value that all have; undefined where one has another. */
function common<T>(values: readonly T[]): T | undefined {
  const [first] = values;
  return values.every((value) => value === first) ? first : undefined;
}

/** What the streams among these have in common. */
function ofStreams(replies: readonly ReplyState[]): Partial<ReplyRule> {
  const streams = replies.flatMap(({ state }) =>
    state.kind === 'answered' && state.reading.kind === 'stream' ? [state.reading.stream] : [],
  );
  const types = [...new Set(streams.flatMap(typesOf))];
  const terminator = common(streams.map((stream) => stream.terminator));
  return {
    ...(types.every((type) => type !== 'no type') ? { eventTypes: types } : {}),
    ...(terminator ? { terminator } : {}),
  };
}

/** What the bodies of refusals have in common. */
function ofBodies(exchanges: readonly Exchange[]): Partial<ReplyRule> {
  const bodies = exchanges.map(({ response }) => parseJson(response?.body.text ?? ''));
  const values = bodies.flatMap((parsed) => (parsed.ok ? [parsed.value] : []));
  return values.length < bodies.length ? {} : { body: schemaOf(values) };
}

function ruleOf(of: Exclude<Of, 'every reply'>, replies: readonly ReplyState[]): Omit<ReplyRule, 'of'> {
  const exchanges = exchangesOf(replies);
  const status = [...new Set(exchanges.flatMap(({ response }) => response?.status ?? []))].sort();
  const contentType = common(exchanges.map(({ response }) => response && mediaTypeOf(response)));
  return {
    status,
    ...(contentType ? { contentType } : {}),
    ...(of === 'streams' ? ofStreams(replies) : of === 'answers' ? {} : ofBodies(exchanges)),
  };
}

/** What the replies of a kind have, for all endpoints whose replies have the same. */
function ofKind(views: readonly EvidenceView[], of: Exclude<Of, 'every reply'>): readonly Proposal[] {
  const shown = protocols
    .filter((protocol) => of !== 'streams' || isTextProtocol(protocol))
    .map((protocol) => ({ protocol, replies: repliesOf(views, protocol, of) }))
    .filter(({ replies }) => replies.length > 0)
    .map((each) => ({ ...each, rule: ruleOf(of, each.replies) }));
  const [slug, words] = kinds[of];
  const texts = groupBy(shown, ({ rule }) => JSON.stringify(rule));
  return [...texts.values()].flatMap((alike) => {
    const named = alike.map(({ protocol }) => protocol);
    const [first] = alike;
    const exchange = first?.replies[0]?.id;
    if (first === undefined || exchange === undefined) return [];
    const where = named.map((protocol) => protocolFacts[protocol].title).join(', ');
    const statement: OwnStatement = {
      id: `own.${slug}${texts.size === 1 ? '' : `.${named.join('-')}`}`,
      statement: `${words} of ${where} is like those that were seen.`,
      level: 'own',
      impact: 'client',
      replies: [{ of, protocols: named, ...first.rule }],
    };
    return { statement, replies: alike.reduce((sum, { replies }) => sum + replies.length, 0), exchange };
  });
}

/** Headers that each reply has, with a value that no other reply of a run has. */
function ofHeaders(views: readonly EvidenceView[]): readonly Proposal[] {
  const runs = views.map((view) =>
    protocols.flatMap((protocol) => exchangesOf(repliesOf([view], protocol, 'every reply'))),
  );
  const all = runs.flat().map(headersOf);
  const [first] = all;
  const exchange = runs[0]?.[0]?.id;
  if (first === undefined || exchange === undefined) return [];
  const isOfEach = (name: string): boolean => all.every((headers) => Boolean(headers.get(name)));
  const isUniqueIn = (run: readonly Exchange[], name: string): boolean =>
    run.length > 1 && new Set(run.map((each) => headersOf(each).get(name))).size === run.length;
  return [...first.keys()]
    .filter((name) => isOfEach(name) && runs.every((run) => isUniqueIn(run, name)))
    .map((name) => ({
      statement: {
        id: `own.header.${name.replace(/[^a-z0-9]+/g, '-')}`,
        statement: `Each reply has a \`${name}\` of its own.`,
        level: 'own',
        impact: 'client',
        replies: [{ of: 'every reply', header: name, unique: true }],
      },
      replies: all.length,
      exchange,
    }));
}

/** Statements of what all replies of a kind have in these runs, where the interface leaves it open. Pure. */
export const proposalsOf = (views: readonly EvidenceView[]): readonly Proposal[] => [
  ...(Object.keys(kinds) as (keyof typeof kinds)[]).flatMap((of) => ofKind(views, of)),
  ...ofHeaders(views),
];
