import { isObject, type JsonObject } from '../../spec/json.ts';
import { type JsonType, type Parameter, parameters } from '../../spec/openapi.ts';
import { protocolFacts } from '../../spec/protocols.ts';
import type { Protocol } from '../../spec/vocabulary.ts';
import type { SetAside } from '../types/traffic.ts';

const hasType: Readonly<Record<JsonType, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  array: Array.isArray,
  integer: Number.isInteger,
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  object: isObject,
};

type Problem = Extract<SetAside, 'outside-contract' | 'unspecified'>;

/** Parameters that the interface does not have, and that change nothing of what a result must look like. */
export const neutral: ReadonlySet<string> = new Set([
  'user',
  'metadata',
  'seed',
  'store',
  'stream_options',
  'presence_penalty',
  'frequency_penalty',
  'prompt_cache_key',
  'safety_identifier',
]);

function valueProblem(rule: Parameter, value: unknown): Problem | undefined {
  if (value === undefined) return rule.required ? 'outside-contract' : undefined;
  if (value === null && !rule.required) return 'unspecified';
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = rule;
  const isRight =
    rule.types.some((type) => hasType[type](value)) &&
    (typeof value !== 'number' || (value >= minimum && value <= maximum)) &&
    (rule.allowed === undefined || rule.allowed.includes(String(value)));
  if (!isRight) return 'outside-contract';
  // No bounds are stated; with less than one token there is nothing to generate.
  return rule.name === 'max_tokens' && Number(value) < 1 ? 'unspecified' : undefined;
}

/** The roles of turns; others are unspecified, and so is a system prompt among the turns of Messages. */
const roles: Readonly<Record<Protocol, readonly string[]>> = {
  chat: ['system', 'user', 'assistant'],
  messages: ['user', 'assistant'],
  responses: ['system', 'developer', 'user', 'assistant'],
  images: [],
};

const textParts: ReadonlySet<unknown> = new Set(['text', 'input_text', 'output_text']);

/** Members of a turn that leave open nothing of the reply, beside its role, its type and its content. */
const besides: readonly string[] = ['name', 'id', 'status', 'cache_control'];

/** The names of members that are known within turns. */
export const ofTurns: ReadonlySet<string> = new Set(['role', 'content', 'type', 'text', ...besides]);

/** The words that turns and their parts are judged by, each behind its name. */
export const wordsOfTurns: ReadonlySet<string> = new Set([
  ...Object.values(roles).flatMap((some) => some.map((role) => `role ${role}`)),
  ...[...textParts, 'message'].map((type) => `type ${type}`),
]);

/** Text, as a string or in the parts that the clients of each protocol send. */
const isPlainContent = (content: unknown): boolean =>
  typeof content === 'string' ||
  (Array.isArray(content) &&
    content.length > 0 &&
    content.every((part) => isObject(part) && textParts.has(part.type) && typeof part.text === 'string'));

/** A turn that asks for text in a way that leaves open nothing of the reply. */
function isPlainTurn(turn: unknown, protocol: Protocol): boolean {
  if (!isObject(turn)) return false;
  const { role, content, type, ...more } = turn;
  const isKnown = typeof role === 'string' && roles[protocol].includes(role);
  const isMessage = type === undefined || (protocol === 'responses' && type === 'message');
  const hasOthers = Object.keys(more).some((name) => !besides.includes(name));
  return isKnown && isMessage && !hasOthers && isPlainContent(content);
}

function contentProblem(body: JsonObject, protocol: Protocol): Problem | undefined {
  const turns = body[protocolFacts[protocol].content];
  if (!Array.isArray(turns)) return undefined;
  const isWrong = (turn: unknown): boolean =>
    protocol === 'chat' && isObject(turn) && ['number', 'boolean'].includes(typeof turn.content);
  if (turns.some(isWrong)) return 'outside-contract';
  // Behind a turn of the assistant a reply may have nothing to add.
  const last: unknown = turns.at(-1);
  const isPlain = turns.length > 0 && turns.every((turn) => isPlainTurn(turn, protocol));
  return isPlain && isObject(last) && last.role !== 'assistant' ? undefined : 'unspecified';
}

/** What keeps a body from being due an answer (section 4), breaches first; undefined where nothing does. */
export function bodyProblem(body: JsonObject, protocol: Protocol): Problem | undefined {
  const rules = parameters(protocol);
  const known = new Set(rules.map(({ name }) => name));
  const found = [
    ...rules.map((rule) => valueProblem(rule, body[rule.name])),
    contentProblem(body, protocol),
    ...Object.keys(body).map((name) => (known.has(name) || neutral.has(name) ? undefined : 'unspecified')),
  ];
  return found.includes('outside-contract')
    ? 'outside-contract'
    : (found.find(Boolean) as Problem | undefined);
}
