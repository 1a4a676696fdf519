import type { Target } from '../../fixtures/target/target.ts';
import { allGroups } from '../../spec/extension.ts';
import { cellsWhere } from '../../spec/matrix.ts';
import { protocolFacts } from '../../spec/protocols.ts';
import { families, type Family, type Group, type Protocol, protocols } from '../../spec/vocabulary.ts';
import { bodyOf } from '../reading/sent-request.ts';
import type { SentRequest } from '../types/exchange.ts';
import { modelsOfFamily } from '../types/scope.ts';
import type { SetAside } from '../types/traffic.ts';
import { isObject, type JsonObject } from '../../spec/json.ts';
import { hasType, type Parameter, parameters } from '../../spec/openapi.ts';

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

/** What of a target traffic is told apart by: names, and the variables of tokens; never their values. */
export type KnownTarget = Pick<Target, 'baseUrl' | 'models' | 'furtherModels' | 'versionHeader' | 'tokens'>;

export interface Classified {
  readonly protocol: Protocol;
  /** The parameters of its body that are no list and no object; empty where it has none. */
  readonly parameters: Readonly<Record<string, string | number | boolean>>;
  readonly families: readonly Family[];
  readonly groups: readonly Group[];
  readonly stream: boolean;
  /** Why its reply is not judged; absent where it is. */
  readonly setAside?: SetAside;
}

/** The protocol of a request; undefined where it is no request of an endpoint. */
export function protocolOf(method: string, path: string): Protocol | undefined {
  const plain = path.split('?')[0];
  return method === 'POST' ? protocols.find((each) => protocolFacts[each].path === plain) : undefined;
}

const isScalar = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);

/** The variable of the token in the documented form of the endpoint (section 5); undefined in any other form. */
function variableIn({ headers }: SentRequest, protocol: Protocol): string | undefined {
  const { header, value } = protocolFacts[protocol].credential;
  const [before = '', behind = ''] = value.split('{token}');
  const shown = headers[header] ?? '';
  if (!shown.startsWith(before) || !shown.endsWith(behind)) return undefined;
  return /^\$\{(\w+)\}$/.exec(shown.slice(before.length, shown.length - behind.length))?.[1];
}

const isInContract = ({ headers }: SentRequest, protocol: Protocol, target: KnownTarget): boolean =>
  /^application\/json\s*(?:;|$)/i.test(headers['content-type'] ?? '') &&
  headers['content-encoding'] === undefined &&
  (!protocolFacts[protocol].hasVersionHeader ||
    headers[target.versionHeader.name.toLowerCase()] !== undefined);

/** Whether the interface says that a model is served there: for its group, or where that is not known, for one. */
const isServed = (protocol: Protocol, found: readonly Family[], own: readonly Group[], stream: boolean) =>
  cellsWhere({ protocol, stream, expectation: 'served' }).some(
    ({ family, group }) => found.includes(family) && (own.length === 0 || own.includes(group)),
  );

/** What a recorded request is; undefined where it is no request of an endpoint. Pure. */
export function classify(request: SentRequest, target: KnownTarget): Classified | undefined {
  const path = request.url.slice(target.baseUrl.length);
  const protocol = protocolOf(request.method, path);
  if (protocol === undefined) return undefined;
  const body = bodyOf(request) ?? {};
  const variable = variableIn(request, protocol);
  const own = allGroups().filter(
    (group) => variable !== undefined && target.tokens[group]?.variable === variable,
  );
  const named = families.filter(
    (family) => typeof body.model === 'string' && modelsOfFamily(target, family).includes(body.model),
  );
  const stream = body.stream === true;
  const problem = (): SetAside | undefined => {
    if (variable === undefined || !isInContract(request, protocol, target)) return 'outside-contract';
    const inBody = bodyProblem(body, protocol);
    if (inBody !== undefined) return inBody;
    if (named.length === 0) return 'undeclared-model';
    return isServed(protocol, named, own, stream) ? undefined : 'unsupported-cell';
  };
  const setAside = problem();
  const parameters = Object.entries(body).flatMap(([name, value]) =>
    isScalar(value) ? [[name, value] as const] : [],
  );
  return {
    protocol,
    parameters: Object.fromEntries(parameters),
    families: named,
    groups: own,
    stream,
    ...(setAside === undefined ? {} : { setAside }),
  };
}
