import type { Target } from '../../fixtures/target/target.ts';
import { shownVersion } from '../../spec/protocols.ts';
import { isTextProtocol, type Protocol, protocols } from '../../spec/vocabulary.ts';
import { declaredCallers } from '../cases/builder/callers.ts';
import { smallestSize } from '../cases/builder/bodies.ts';
import { type InteropAsked, type InteropClientName, interopPackages } from '../types/interop.ts';
import type { Caller, Plan } from '../types/plan.ts';
import { scopeOf } from '../types/scope.ts';
import { cellId, rateLimitedId } from '../types/request-ids.ts';
import { createEvidenceView, isAnswered } from '../checks/evidence-view.ts';
import { type Evidence, isExchange } from '../types/exchange.ts';
import { isRateLimit } from '../reading/transient.ts';

/** One request that a client is to make; holds a token, and goes nowhere but to the process of the clients. */
export interface Trial {
  readonly client: InteropClientName;
  readonly protocol: Protocol;
  readonly asked: InteropAsked;
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Headers beside its own; null takes one of its own away. */
  readonly headers: Readonly<Record<string, string | null>>;
  readonly model: string;
  /** Size of an image (4.4). */
  readonly size: string | undefined;
}

export interface ClientTrials {
  readonly client: InteropClientName;
  readonly baseUrl: string;
  readonly notes: readonly string[];
  readonly trials: readonly Trial[];
}

/** What the run has shown that the clients' requests depend on. */
export interface Shown {
  /** The caller of an endpoint that was served. */
  readonly caller: (protocol: Protocol) => Caller | undefined;
  /** Endpoints on which the spent token was limited. */
  readonly limited: readonly Protocol[];
}

interface ClientFacts {
  readonly protocols: readonly Protocol[];
  /** Whether it appends `/v1` to its base URL (4.2). */
  readonly appendsVersion: boolean;
  /** What it sends that the interface does not show. */
  readonly notes: readonly string[];
}

const clientFacts: Readonly<Record<InteropClientName, ClientFacts>> = {
  openai: { protocols: ['responses', 'chat', 'images'], appendsVersion: false, notes: [] },
  '@anthropic-ai/sdk': { protocols: ['messages'], appendsVersion: true, notes: [] },
  'ai with @ai-sdk/openai': {
    protocols: ['responses', 'chat', 'images'],
    appendsVersion: false,
    notes: ['It sends input as an array of messages, whose elements the interface does not show (4.1).'],
  },
  'ai with @ai-sdk/anthropic': {
    protocols: ['messages'],
    appendsVersion: false,
    notes: ['It sends content as an array of parts, a form that the interface does not show (4.2).'],
  },
};

const clientNames = Object.keys(interopPackages) as readonly InteropClientName[];

/** From this version on `@anthropic-ai/sdk` sends Bearer and another version unless it is told otherwise. */
const firstWithBearer = 1;

/** What a client of Messages is told beside its own defaults, and why. */
function toldHeaders(
  client: InteropClientName,
  { versionHeader: { name, value } }: Target,
  { version, apiKey }: { readonly version: string | undefined; readonly apiKey: string },
): { readonly headers: Trial['headers']; readonly notes: readonly string[] } {
  const own = { [name.toLowerCase()]: value };
  if (client === '@anthropic-ai/sdk' && Number.parseInt(version ?? '0', 10) >= firstWithBearer) {
    const told = `it was told by defaultHeaders to send x-api-key and ${name}: ${value}.`;
    return {
      headers: { 'x-api-key': apiKey, authorization: null, ...own },
      notes: [
        `By default it sends Authorization: Bearer and a newer version, which section 5 refuses; ${told}`,
      ],
    };
  }
  if (name.toLowerCase() === 'anthropic-version' && value === shownVersion) return { headers: {}, notes: [] };
  return { headers: own, notes: [`It was told to send ${name}: ${value}, as the config declares.`] };
}

const asksFor = (protocol: Protocol): readonly InteropAsked[] => [
  'answer',
  ...(isTextProtocol(protocol) ? (['stream'] as const) : []),
  'invalid-token',
  'unknown-model',
];

/** A token and a model that no console knows. */
const [inventedToken, inventedModel] = ['interop-invented-token-5d1c', 'interop-no-such-model-5d1c'];

/** What an endpoint is asked by a client, as the caller that the run showed to be served, else the first declared. */
function endpointTrials(
  { client, target, shown }: { client: InteropClientName; target: Target; shown: Shown },
  protocol: Protocol,
  { baseUrl, version }: { readonly baseUrl: string; readonly version: string | undefined },
): readonly Trial[] {
  const caller = shown.caller(protocol) ?? declaredCallers(scopeOf(target), protocol)[0];
  const model = caller && target.models[caller.family];
  const token = caller && target.tokens[caller.group];
  if (model === undefined || token === undefined) return [];
  const spent = target.tokens['rate-limited'];
  const keys: Partial<Record<InteropAsked, string>> = {
    'invalid-token': inventedToken,
    ...(spent === undefined ? {} : { 'spent-token': spent.value }),
  };
  const asked: readonly InteropAsked[] = [
    ...asksFor(protocol),
    ...(spent !== undefined && shown.limited.includes(protocol) ? (['spent-token'] as const) : []),
  ];
  return asked.map((each) => {
    const apiKey = keys[each] ?? token.value;
    const headers = protocol === 'messages' ? toldHeaders(client, target, { version, apiKey }).headers : {};
    const asks = { model: each === 'unknown-model' ? inventedModel : model, size: smallestSize() };
    return { client, protocol, asked: each, baseUrl, apiKey, headers, ...asks };
  });
}

/** What clients are asked on each endpoint: an answer, a stream of text, each class of error. `versionOf`: of an installed one. */
export const interopTrials = (
  target: Target,
  versionOf: (client: InteropClientName) => string | undefined,
  shown: Shown,
): readonly ClientTrials[] =>
  clientNames.map((client) => {
    const { protocols, appendsVersion, notes } = clientFacts[client];
    const baseUrl = appendsVersion ? target.baseUrl : `${target.baseUrl}/v1`;
    const version = versionOf(client);
    const told = protocols.includes('messages')
      ? toldHeaders(client, target, { version, apiKey: '' }).notes
      : [];
    const trials = protocols.flatMap((protocol) =>
      endpointTrials({ client, target, shown }, protocol, { baseUrl, version }),
    );
    return { client, baseUrl, notes: [...notes, ...told], trials };
  });

export const isBilled = ({ asked }: Pick<Trial, 'asked'>) => asked === 'answer' || asked === 'stream';

/** Before a run, for what clients ask at most: any declared caller, and the spent token everywhere. */
export const nothingShown: Shown = { caller: () => undefined, limited: protocols };

/** What the evidence of a run shows of who is served, and where the spent token is limited. */
export function shownBy(target: Target, plan: Plan, evidence: Evidence): Shown {
  const view = createEvidenceView(plan, evidence);
  const isLimited = (id: string): boolean => {
    const entry = evidence.get(id);
    return isExchange(entry) && isRateLimit(entry);
  };
  return {
    caller: (protocol) =>
      declaredCallers(scopeOf(target), protocol).find((caller) => isAnswered(view, cellId(caller, protocol))),
    limited: protocols.filter((protocol) => isLimited(rateLimitedId(protocol, 1))),
  };
}
