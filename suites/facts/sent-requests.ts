import { isObject, type JsonObject } from '../../spec/json.ts';
import { protocolFacts } from '../../spec/protocols.ts';
import { type EvidenceView, isTaken, type State } from '../checks/evidence-view.ts';
import { isAnswerDue, isOfAnyGroup } from '../reading/request-facts.ts';
import { bodyOf, tokenOf } from '../reading/sent-request.ts';
import type { Setting } from '../types/combination.ts';
import { type Exchange, type SentRequest, spanOf } from '../types/exchange.ts';
import type { PlannedRequest } from '../types/plan.ts';
import { protocolPath } from '../../spec/paths.ts';
import type { ReplyRef, Trait } from '../types/separation.ts';
import { signsOf } from '../types/text-differences.ts';
import type { Neighbour } from '../types/text-situations.ts';

export interface SentValid {
  /** Of the exchange. */
  readonly id: string;
  readonly request: PlannedRequest;
  readonly exchange: Exchange;
  readonly kind: State['kind'];
  readonly isTaken: boolean;
  readonly body: JsonObject;
  /** The settings of the combination, or of the part of one, that it is; undefined where it is none. */
  readonly settings: readonly Setting[] | undefined;
}

/** Reads something of a view once, until more is recorded: up to then it gives the same list. */
export function oncePerRecord<Read>(read: (view: EvidenceView) => Read): (view: EvidenceView) => Read {
  const kept = new WeakMap<readonly Exchange[], { readonly read: Read }>();
  return (view) => {
    const known = kept.get(view.exchanges()) ?? { read: read(view) };
    kept.set(view.exchanges(), known);
    return known.read;
  };
}

function settingsOf(view: EvidenceView, { id, repeats, part }: Exchange): readonly Setting[] | undefined {
  const settings = view.request(part?.of ?? repeats ?? id)?.combination?.settings;
  return part ? settings?.filter(({ factor }) => part.factors.includes(factor)) : settings;
}

/** Whether the interface leaves it open: of a group that is refused whatever it asks, where another group is served. */
function isLeftOpen({ request, kind, isTaken: isOwnTaken }: SentValid, all: readonly SentValid[]): boolean {
  if (kind !== 'refused' || isOwnTaken || !isOfAnyGroup(request)) return false;
  const [caller] = request.callers;
  const served = all.flatMap(({ isTaken, request: { protocol, callers } }) =>
    isTaken && protocol === request.protocol && callers[0]?.family === caller?.family
      ? [callers[0]?.group]
      : [],
  );
  return served.length > 0 && !served.includes(caller?.group);
}

/** Every valid request that was sent and had to be answered, with parts and repetitions, in the order of the record. */
export function sentValid(view: EvidenceView): readonly SentValid[] {
  const all = view.exchanges().flatMap((exchange): readonly SentValid[] => {
    const [request, body] = [view.requestOf(exchange), bodyOf(exchange.request)];
    if (request === undefined || body === undefined || !isAnswerDue(request)) return [];
    const { id } = exchange;
    const settings = settingsOf(view, exchange);
    return [{ id, request, exchange, kind: view.kind(id), isTaken: isTaken(view, id), body, settings }];
  });
  return all.filter((each) => !isLeftOpen(each, all));
}

type Asked = Pick<SentValid, 'request' | 'body'>;

export const askedBy = (sent: Asked): string =>
  JSON.stringify([
    sent.body[protocolFacts[sent.request.protocol].content],
    sent.body.system,
    sent.body.instructions,
  ]);

/** Members of a turn that hold none of its text. */
const names: ReadonlySet<string> = new Set(['role', 'type', 'name', 'id', 'status']);

export function stringsIn(sent: Asked): readonly string[] {
  const strings: string[] = [];
  JSON.parse(askedBy(sent), (name, value: unknown) => {
    if (typeof value === 'string' && !names.has(name)) strings.push(value);
    return value;
  });
  return strings;
}

export const textIn = (sent: Asked): string => stringsIn(sent).join(' ');

export interface SentReply {
  readonly traits: readonly Trait[];
  readonly turns: number;
  readonly characters: number;
  /** Of those the ones of what is asked, without a system prompt beside it. */
  readonly promptCharacters: number;
}

/** Headers that say nothing of what is asked, or who asks, which the token tells. */
const untold: ReadonlySet<string> = new Set([
  ...['host', 'connection', 'content-length', 'accept-encoding', 'user-agent', 'authorization', 'x-api-key'],
  ...['anthropic-version', 'x-request-id'],
]);

/** A parameter with a long value is told by its name. */
const longestValue = 40;

const isShort = (value: unknown): boolean =>
  typeof value !== 'object' && JSON.stringify(value).length <= longestValue;

/** The variable whose token stands in a header as it is. */
const tokenIn = ({ headers }: SentRequest): string | undefined =>
  /^(?:Bearer )?\$\{(\w+)\}$/.exec(headers.authorization ?? headers['x-api-key'] ?? '')?.[1];

const ofMembers = (body: JsonObject, content: string): readonly Trait[] =>
  Object.entries(body).flatMap(([name, value]): readonly Trait[] => {
    if (name === 'model') return typeof value === 'string' ? [{ kind: 'model', name: value }] : [];
    if (name === content) return [];
    return [
      { kind: 'any-value', name },
      ...(isShort(value) ? [{ kind: 'member', name, value } as const] : []),
    ];
  });

function ofText(text: string): readonly Trait[] {
  const signs = signsOf(text).filter((sign) => /\p{ASCII}/u.test(sign));
  return [
    ...(/\P{ASCII}/u.test(text) ? [{ kind: 'beyond-ascii' } as const] : []),
    ...signs.map((sign) => ({ kind: 'sign', sign }) as const),
  ];
}

export function sentReply(request: SentRequest, planned: PlannedRequest): SentReply {
  const body = bodyOf(request) ?? {};
  const { protocol } = planned;
  const { content } = protocolFacts[protocol];
  const asked = body[content];
  const turns: readonly unknown[] = Array.isArray(asked) ? asked : [asked];
  const text = textIn({ request: planned, body });
  const token = tokenIn(request);
  const isSystem = (turn: unknown): boolean => isObject(turn) && turn.role === 'system';
  return {
    turns: turns.length,
    characters: text.length,
    promptCharacters: textIn({ request: planned, body: { [content]: asked } }).length,
    traits: [
      { kind: body.stream === true ? 'streamed' : 'unstreamed' },
      { kind: 'endpoint', path: protocolPath(protocol) },
      ...ofMembers(body, content),
      ...(token === undefined ? [] : [{ kind: 'token', name: token } as const]),
      ...(turns.some(isSystem) ? [{ kind: 'system-turn' } as const] : []),
      ...(turns.filter((turn) => !isSystem(turn)).length > 1 ? [{ kind: 'earlier-turns' } as const] : []),
      ...(protocol === 'responses' && Array.isArray(asked) ? [{ kind: 'content-list' } as const] : []),
      ...ofText(text),
      ...Object.entries(request.headers)
        .filter(([name]) => !untold.has(name))
        .map(([name, value]) => ({ kind: 'header', name, value }) as const),
    ],
  };
}

export type SentTurn = NonNullable<ReturnType<ReturnType<typeof turnReader>>>;

/** What stood beside a request, or before it; nothing where it is not known. */
export const neighboursOf = (turn: SentTurn | undefined): readonly Neighbour[] => [
  ...(turn && turn.beside > 0 ? ['beside' as const] : []),
  ...(turn?.after === undefined ? [] : [`after-${turn.after}` as const]),
];

/** An outage is neither: valid requests beside it fail with it, whatever stood before them. */
function cameTo(
  request: SentRequest,
  status: number | null,
  mayBeRefused: boolean,
): 'stream' | 'refusal' | undefined {
  if (status === null) return undefined;
  if (status >= 400) return mayBeRefused ? 'refusal' : undefined;
  return bodyOf(request)?.stream === true ? 'stream' : undefined;
}

type Sent = ReturnType<typeof allSent>[number];

const allSent = (view: EvidenceView) =>
  view
    .exchanges()
    .flatMap((exchange) => {
      const { id, attempts, request } = exchange;
      const planned = view.requestOf(exchange);
      const mayBeRefused = planned !== undefined && !isAnswerDue(planned);
      return attempts.map((tried, attempt) => ({
        id,
        attempt,
        ...spanOf(tried),
        path: request.url,
        caller: tokenOf(request),
        was: cameTo(request, tried.status, mayBeRefused),
      }));
    })
    .sort((one, other) => one.from - other.from);

/** Of those sent before one, the last of the same caller that was over by then. */
function lastOver(all: readonly Sent[], place: number): Sent | undefined {
  const own = all[place];
  for (let at = place - 1; own !== undefined && at >= 0; at -= 1) {
    const other = all[at];
    if (other !== undefined && other.caller === own.caller && other.to <= own.from) return other;
  }
  return undefined;
}

/** How many others were under way when one began; they are in the order in which they began. */
function underWay(all: readonly Sent[], place: number): number {
  const { from } = all[place] ?? { from: 0 };
  let count = 0;
  for (const [at, other] of all.entries()) {
    if (other.from > from) break;
    if (at !== place && from < other.to) count += 1;
  }
  return count;
}

/** How many requests were under way at once, at most, by the times of their attempts. */
export function mostAtOnce(exchanges: readonly Pick<Exchange, 'attempts'>[]): number {
  const changes = exchanges.flatMap(({ attempts }) =>
    attempts.map(spanOf).flatMap(({ from, to }) => [
      { at: from, by: 1 },
      { at: to, by: -1 },
    ]),
  );
  let [now, most] = [0, 0];
  for (const { by } of changes.sort((one, other) => one.at - other.at || one.by - other.by)) {
    now += by;
    most = Math.max(most, now);
  }
  return most;
}

export function turnReader(view: EvidenceView) {
  const all = allSent(view);
  const places = new Map(all.map(({ id, attempt }, at) => [`${id} ${attempt}`, at]));
  const ofPath = new Map<string, number>();
  /** How many were sent on the same path before each. */
  const before = all.map(({ path }) => {
    const count = ofPath.get(path) ?? 0;
    ofPath.set(path, count + 1);
    return count;
  });
  return ({ id, attempt }: ReplyRef) => {
    const at = places.get(`${id} ${attempt}`);
    const own = at === undefined ? undefined : all[at];
    if (at === undefined || own === undefined) return undefined;
    const last = lastOver(all, at);
    return {
      /** How many were sent before it, to its endpoint and in all. */
      ofEndpoint: before[at] ?? 0,
      ofAll: at,
      /** How many others were under way when it was sent. */
      beside: underWay(all, at),
      /** What came to the request before it with the same token, and its exchange. */
      after: last?.was,
      before: last?.id,
    };
  };
}
