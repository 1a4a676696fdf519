import { type Payloads, payloads } from '../../../fixtures/payloads/payloads.ts';
import { groups, paths, type Protocol, type TextProtocol } from '../../../spec/vocabulary.ts';
import type { Check } from '../../checks/registry.ts';
import type { Case } from '../../model/case.ts';
import type { Condition, PlannedRequest, Stage, Template, Caller } from '../../model/plan.ts';
import { longBody, plain } from './bodies.ts';
import type { Scope } from '../../model/scope.ts';

/** Where each protocol can be judged: the cells that the document says are served, in order of preference. */
const homes: Readonly<Record<Protocol, readonly Caller[]>> = {
  responses: groups.map((group) => ({ family: 'general', group })),
  messages: [{ family: 'conversational', group: 'third-party-client' }],
  chat: [
    { family: 'multimodal', group: 'default' },
    { family: 'general', group: 'default' },
  ],
  images: groups.map((group) => ({ family: 'image', group })),
};

/** Id of the request that asks one cell of the matrix. */
export const cellId = (caller: Caller, protocol: Protocol, stream = false): string =>
  `cell.${caller.family}.${protocol}.${caller.group}${stream ? '.stream' : ''}`;

type RequestOverrides = Partial<Omit<PlannedRequest, 'id' | 'protocol' | 'path' | 'body'>> & {
  readonly json?: Template;
  readonly cut?: boolean;
  /** Of chat its second family first: what a gateway does for one it may not do for the other. */
  readonly turned?: boolean;
};

export interface CaseBuilder {
  readonly scope: Scope;
  readonly data: Payloads;
  readonly requests: ReadonlyMap<string, PlannedRequest>;
  readonly cases: readonly Case[];
  /** The declared callers of a protocol, in order of preference. */
  callers(protocol: Protocol): readonly Caller[];
  /** Ids of the requests that find out which caller serves a protocol. */
  cells(protocol: Protocol): readonly string[];
  /** The smallest request is answered: what every request waits for that names no caller of its own. */
  served(protocol: Protocol): Condition;
  /** Plans a request and gives its id; the same id twice must mean the same request. */
  send(id: string, protocol: Protocol, wish?: RequestOverrides): string;
  /** The plain request of a protocol: the control of most cases. */
  control(protocol: Protocol): string;
  /** The control once more, after everything that may have upset the target. */
  after(protocol: Protocol): string;
  /** The plain request with a stream asked for. */
  streamed(protocol: TextProtocol): string;
  /** Plain streams of the callers of a `turned` request, and the one of the first: controls of what is streamed. */
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
export function createCaseBuilder(scope: Scope, seed: number): CaseBuilder {
  const data = payloads(seed);
  const requests = new Map<string, PlannedRequest>();
  const cases = new Map<string, Case>();
  const callers = (protocol: Protocol) =>
    homes[protocol].filter(
      (home) => scope.families.includes(home.family) && scope.groups.includes(home.group),
    );

  const secondFamilyFirst = (protocol: Protocol) =>
    protocol === 'chat' ? [...callers(protocol)].reverse() : callers(protocol);

  const cells = (protocol: Protocol) => callers(protocol).map((caller) => cellId(caller, protocol));

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

  function send(id: string, protocol: Protocol, wish: RequestOverrides = {}): string {
    const { json = plain[protocol], cut = false, turned = false, ...rest } = wish;
    const expect = wish.expect ?? 'answer';
    const home = wish.callers ?? (turned ? secondFamilyFirst(protocol) : callers(protocol));
    const when = wish.when ?? (wish.callers ? [] : [served(protocol)]);
    // Whom to ask for a stream is known once each caller was asked for one.
    const asksWhom = expect === 'answer' && asksStream(json) && home.length > 1;
    const streams = home.map((caller) => cellId(caller, protocol, true));
    const request: PlannedRequest = {
      id,
      protocol,
      method: 'POST',
      path: paths[protocol],
      callers: home,
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

  const streamed: CaseBuilder['streamed'] = (protocol) =>
    send(`${protocol}.stream.true`, protocol, { json: { ...plain[protocol], stream: true } });

  return {
    scope,
    data,
    requests,
    get cases() {
      return [...cases.values()];
    },
    callers: callers,
    cells,
    served,
    send,
    control,
    streamed,
    streams: (protocol) => [
      ...(protocol === 'chat' ? secondFamilyFirst(protocol) : []).map((caller) =>
        cellId(caller, protocol, true),
      ),
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
      cases.set(entry.id, { ...entry, check: undeclared(needs, callers) ?? check() });
    },
  };
}

/** A protocol without a caller, or a reason in words, leaves a case undeclared. */
function undeclared(needs: Protocol | string | null, callers: CaseBuilder['callers']): Check | undefined {
  if (needs === null) return undefined;
  if (!(needs in missing)) return { kind: 'undeclared', reason: needs };
  const protocol = needs as Protocol;
  return callers(protocol).length === 0 ? { kind: 'undeclared', reason: missing[protocol] } : undefined;
}

const asksStream = (json: Template): boolean =>
  typeof json === 'object' && json !== null && 'stream' in json && json.stream === true;
