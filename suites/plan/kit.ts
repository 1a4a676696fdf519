import { type Payloads, payloads } from '../../fixtures/payloads/payloads.ts';
import type { Target } from '../../fixtures/target/target.ts';
import {
  type Cell,
  drawsImages,
  families,
  type Group,
  groups,
  paths,
  type Protocol,
  type TextProtocol,
} from '../../spec/vocabulary.ts';
import type { Case, Check } from '../model/case.ts';
import type { Condition, PlannedRequest, Stage, Template, Venue } from '../model/plan.ts';

/** What of a declaration shapes a plan: which families and tokens there are, never their values. */
export interface Scope {
  readonly families: readonly (typeof families)[number][];
  readonly groups: readonly Group[];
  readonly rateLimited: boolean;
  /** Groups that are declared with one and the same token; none where it is left out. */
  readonly shared?: readonly (readonly Group[])[];
}

/** The groups of each token that stands for more than one. */
function sharedOf({ tokens }: Pick<Target, 'tokens'>): readonly (readonly Group[])[] {
  const variables = new Set(groups.map((group) => tokens[group]?.variable).filter(Boolean));
  return [...variables]
    .map((variable) => groups.filter((group) => tokens[group]?.variable === variable))
    .filter((those) => those.length > 1);
}

export const scopeOf = (target: Pick<Target, 'models' | 'tokens'>): Scope => ({
  families: families.filter((family) => target.models[family] !== undefined),
  groups: groups.filter((group) => target.tokens[group] !== undefined),
  rateLimited: target.tokens['rate-limited'] !== undefined,
  shared: sharedOf(target),
});

/** Where each protocol can be judged: the cells that the document says are served, in order of preference. */
const homes: Readonly<Record<Protocol, readonly Venue[]>> = {
  responses: groups.map((group) => ({ family: 'general', group })),
  messages: [{ family: 'conversational', group: 'third-party-client' }],
  chat: [
    { family: 'multimodal', group: 'default' },
    { family: 'general', group: 'default' },
  ],
  images: groups.map((group) => ({ family: 'image', group })),
};

/** Id of the request that asks one cell of the matrix. */
export const cellId = (venue: Venue, protocol: Protocol, stream = false): string =>
  `cell.${venue.family}.${protocol}.${venue.group}${stream ? '.stream' : ''}`;

/** A question with a short answer. */
export const hello = 'Reply with the word hello.';
export const turn = (role: string, content: Template): Template => ({ role, content });
export const user = (content: Template): Template => [turn('user', content)];
const model = { $: 'model' } as const;

/** The smallest request of each protocol: what is required, and nothing else. */
export const minimal: Readonly<Record<Protocol, { readonly [name: string]: Template }>> = {
  responses: { model, input: hello },
  messages: { model, messages: user(hello), max_tokens: 256 },
  chat: { model, messages: user(hello) },
  images: { model, prompt: 'A plain red circle on a white background' },
};

const picture = 'Draw an image of a plain red circle on a white background.';

/** The smallest chat request that asks for an image (4.5). */
export const drawingBody: { readonly [name: string]: Template } = { model, messages: user(picture) };

/** The smallest request that asks a model of the cell for what it makes, on the protocol of the cell. */
export function cellBody({ family, protocol, stream }: Cell): Template {
  const draws = drawsImages(family);
  const { messages = null } = drawingBody;
  const body = minimal[protocol];
  const content = protocol === 'responses' ? { input: picture } : protocol === 'images' ? {} : { messages };
  return { ...body, ...(draws ? content : {}), ...(stream ? { stream: true } : {}) };
}

/** The smallest request, with the stream declined where the protocol knows one. */
export const plain: Readonly<Record<Protocol, { readonly [name: string]: Template }>> = {
  ...minimal,
  responses: { ...minimal.responses, stream: false },
  messages: { ...minimal.messages, stream: false },
  chat: { ...minimal.chat, stream: false },
};

/** A request whose only content is this text, in the form of the protocol. */
export const asking = (protocol: TextProtocol, content: Template): { readonly [name: string]: Template } => ({
  ...plain[protocol],
  ...(protocol === 'responses' ? { input: content } : { messages: user(content) }),
});

/** Asks for a text back word for word: as long from a model as from an echo. */
export const longBody = (protocol: TextProtocol, text: string): { readonly [name: string]: Template } => ({
  ...asking(protocol, `Repeat this text exactly: ${text}`),
  ...(protocol === 'messages' ? { max_tokens: 512 } : {}),
});

type Wish = Partial<Omit<PlannedRequest, 'id' | 'protocol' | 'path' | 'body'>> & {
  readonly json?: Template;
  readonly cut?: boolean;
  /** Of chat its second family first: what a gateway does for one it may not do for the other. */
  readonly turned?: boolean;
};

export interface Kit {
  readonly scope: Scope;
  readonly data: Payloads;
  readonly requests: ReadonlyMap<string, PlannedRequest>;
  readonly cases: readonly Case[];
  /** The declared venues of a protocol, in order of preference. */
  venues(protocol: Protocol): readonly Venue[];
  /** Ids of the requests that find out which venue serves a protocol. */
  cells(protocol: Protocol): readonly string[];
  /** The smallest request is answered: what every request waits for that names no venue of its own. */
  served(protocol: Protocol): Condition;
  /** Plans a request and gives its id; the same id twice must mean the same request. */
  send(id: string, protocol: Protocol, wish?: Wish): string;
  /** The plain request of a protocol: the control of most cases. */
  control(protocol: Protocol): string;
  /** The control once more, after everything that may have upset the target. */
  after(protocol: Protocol): string;
  /** The plain request with a stream asked for. */
  streamed(protocol: TextProtocol): string;
  /** Plain streams of the venues of a `turned` request, and the one of the first: controls of what is streamed. */
  streams(protocol: TextProtocol): readonly string[];
  /** A request whose reply is long: a text to repeat. */
  long(protocol: TextProtocol): string;
  /** The same with a bound on the output. */
  limited(protocol: TextProtocol, limit: number): string;
  /** Adds a case. Where the target declares nothing for it, it is untested and plans no request. */
  add(entry: Omit<Case, 'check'>, needs: Protocol | string | null, check: () => Check): void;
}

const stageOf: Readonly<Record<PlannedRequest['expect'], Stage>> = {
  answer: 'valid',
  refusal: 'invalid',
  either: 'open',
  limited: 'invalid',
};

const missing: Readonly<Record<Protocol, string>> = {
  responses: 'no general model with a token of a group is declared',
  messages: 'no conversational model with a third-party-client token is declared',
  chat: 'no multimodal or general model with a default token is declared',
  images: 'no image model with a token of a group is declared',
};

/** Collects the requests and cases of a plan. Pure but for what it collects. */
export function createKit(scope: Scope, seed: number): Kit {
  const data = payloads(seed);
  const requests = new Map<string, PlannedRequest>();
  const cases = new Map<string, Case>();
  const venues = (protocol: Protocol) =>
    homes[protocol].filter(
      (home) => scope.families.includes(home.family) && scope.groups.includes(home.group),
    );

  const turnedVenues = (protocol: Protocol) =>
    protocol === 'chat' ? [...venues(protocol)].reverse() : venues(protocol);

  const cells = (protocol: Protocol) => venues(protocol).map((venue) => cellId(venue, protocol));

  const served = (protocol: Protocol): Condition => ({
    kind: 'answered',
    any: [...cells(protocol), `${protocol}.plain`],
  });

  /** Sent whether or not the smallest request was answered: a stream declined is all that they differ in. */
  const control = (protocol: Protocol): string =>
    send(`${protocol}.plain`, protocol, {
      stage: 'discovery',
      when: [{ kind: 'recorded', all: cells(protocol) }],
    });

  function send(id: string, protocol: Protocol, wish: Wish = {}): string {
    const { json = plain[protocol], cut = false, turned = false, ...rest } = wish;
    const expect = wish.expect ?? 'answer';
    const home = wish.venues ?? (turned ? turnedVenues(protocol) : venues(protocol));
    const when = wish.when ?? (wish.venues ? [] : [served(protocol)]);
    // Whom to ask for a stream is known once each venue was asked for one.
    const asksWhom = expect === 'answer' && asksStream(json) && home.length > 1;
    const streams = home.map((venue) => cellId(venue, protocol, true));
    const request: PlannedRequest = {
      id,
      protocol,
      method: 'POST',
      path: paths[protocol],
      venues: home,
      credential: { form: 'right' },
      version: 'declared',
      accept: 'application/json',
      contentType: 'application/json',
      body: { json, cut },
      stream: asksStream(json),
      expect,
      stage: stageOf[expect],
      billed: expect === 'answer' || expect === 'either' ? 1 : 0,
      ...rest,
      when: asksWhom ? [...when, { kind: 'recorded', all: streams }] : when,
    };
    const known = requests.get(id);
    if (known && JSON.stringify(known) !== JSON.stringify(request)) {
      throw new Error(`two requests are called ${id}`);
    }
    requests.set(id, request);
    return id;
  }

  const streamed: Kit['streamed'] = (protocol) =>
    send(`${protocol}.stream.true`, protocol, { json: { ...plain[protocol], stream: true } });

  return {
    scope,
    data,
    requests,
    get cases() {
      return [...cases.values()];
    },
    venues,
    cells,
    served,
    send,
    control,
    streamed,
    streams: (protocol) => [
      ...(protocol === 'chat' ? turnedVenues(protocol) : []).map((venue) => cellId(venue, protocol, true)),
      streamed(protocol),
    ],
    long: (protocol) => send(`${protocol}.long`, protocol, { json: longBody(protocol, data.longText) }),
    limited: (protocol, limit) =>
      send(`${protocol}.limit.${limit}`, protocol, {
        json: { ...longBody(protocol, data.longText), max_tokens: limit },
      }),
    after: (protocol) => send(`${protocol}.plain.after`, protocol, { stage: 'after' }),
    add(entry, needs, check) {
      if (cases.has(entry.id)) throw new Error(`two cases are called ${entry.id}`);
      cases.set(entry.id, { ...entry, check: undeclared(needs, venues) ?? check() });
    },
  };
}

/** A protocol without a venue, or a reason in words, leaves a case undeclared. */
function undeclared(needs: Protocol | string | null, venues: Kit['venues']): Check | undefined {
  if (needs === null) return undefined;
  if (!(needs in missing)) return { kind: 'undeclared', reason: needs };
  const protocol = needs as Protocol;
  return venues(protocol).length === 0 ? { kind: 'undeclared', reason: missing[protocol] } : undefined;
}

const asksStream = (json: Template): boolean =>
  typeof json === 'object' && json !== null && 'stream' in json && json.stream === true;
