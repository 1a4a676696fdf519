import type { Knowledge } from '../types/declared.ts';
import { groupBy } from '../../spec/group-by.ts';
import { once } from '../../spec/once.ts';
import type { Target } from '../../fixtures/target/target.ts';
import { cellId } from '../types/request-ids.ts';
import type { EvidenceView, State } from '../checks/evidence-view.ts';
import { tellsApart } from '../checks/shared/refusal-features.ts';
import { sentOf } from '../checks/shared/meant-replies.ts';
import { valueAt } from '../reading/json.ts';
import { replyWords } from '../reading/reply-words.ts';
import { isRateLimit } from '../reading/transient.ts';
import type { Exchange } from '../types/exchange.ts';
import type { PlannedRequest } from '../types/plan.ts';

export type Declaration = Pick<Target, 'models' | 'furtherModels' | 'tokens'>;

/** A request that was sent, with what came back in words. */
export interface Seen {
  readonly request: PlannedRequest;
  readonly exchange: Exchange;
  readonly kind: State['kind'];
  readonly words: string;
}

/** Words are made when somebody asks: of most replies nobody does. */
function asSeen(of: Omit<Seen, 'words'>): Seen {
  const words = once(() => replyWords(of.exchange));
  return {
    ...of,
    get words() {
      return words();
    },
  };
}

/** What says nothing of a declaration: no reply came in time, or none came at all. */
const silent: ReadonlySet<string> = new Set(['unreachable', 'timeout', 'cut']);

/** All that was sent, in the order of the plan. */
export const sentIn = (view: EvidenceView): readonly Seen[] =>
  sentOf(
    view,
    view.plan.requests.map(({ id }) => id),
  ).flatMap((id) => {
    const [request, { kind, exchange }] = [view.request(id), view.state(id)];
    return request === undefined || exchange === undefined ? [] : [asSeen({ request, exchange, kind })];
  });

export const repliedIn = (sent: readonly Seen[]): readonly Seen[] =>
  sent.filter(({ exchange }) => !silent.has(exchange.ending.kind));

export const idsOf = (seen: readonly Seen[]): readonly string[] => seen.map(({ exchange }) => exchange.id);

export const wordsIn = (seen: readonly Seen[]): ReadonlySet<string> =>
  new Set(seen.map(({ words }) => words));

export const areAlike = (seen: readonly Seen[]): boolean =>
  seen.every(({ kind, words }) => kind !== 'answered' && words === seen[0]?.words);

export const statusOf = ({ exchange }: Pick<Seen, 'exchange'>): number => exchange.response?.status ?? 0;

/** The statuses that HTTP has for credentials: where all replies are alike, they may be for the token. */
export const isForCredential = (seen: Seen): boolean => statusOf(seen) === 401 || statusOf(seen) === 403;

/** Whether it names a model that no console lists: that of its caller stands in a plan without its name. */
function isInventedModel({ body, expect }: PlannedRequest): boolean {
  const model = valueAt(body?.json, '/model');
  return expect !== 'answer' && typeof model === 'string' && model !== '';
}

/** Whether it is sent as the interface wants it, but for who calls which model. */
function isWellFormed(request: PlannedRequest): boolean {
  const { id, expect, version, callers, protocol, stream } = request;
  const isCell = callers.some((caller) => id === cellId(caller, protocol, stream));
  return version === 'declared' && (expect !== 'refusal' || isCell || isInventedModel(request));
}

/** Whether a reply may tell of the token, or of the model, that its request names: neither a limit nor a lock-out does. */
const tells = ({ request, exchange, kind }: Seen, view: EvidenceView): boolean =>
  kind === 'answered' ||
  (isWellFormed(request) &&
    ((kind === 'refused' && !isRateLimit(exchange)) || isOwnLimit(request, exchange)) &&
    view.lockOutOf(exchange) === undefined);

export const isOwnLimit = ({ expect }: PlannedRequest, exchange: Exchange): boolean =>
  expect === 'limited' && isRateLimit(exchange);

/** Whether the caller shows a token that is declared, in the documented form. */
const isDeclared = ({ credential }: PlannedRequest): boolean =>
  credential.form === 'right' || credential.form === 'token';

export const showsToken = (headers: Exchange['request']['headers'], variable: string): boolean =>
  Object.values(headers).some((value) => value.includes(`\${${variable}}`));

/** What was asked with declared tokens, and what something invented in its place got, by place. */
export type Told = ReturnType<typeof toldOf>;

const toldOf = (replies: readonly Seen[], invented: readonly Seen[], other: (seen: Seen) => string) => {
  /** Where a reply is compared: the same endpoint, with the same model or the same token. */
  const placeOf = (seen: Seen): string => JSON.stringify([seen.request.protocol, other(seen)]);
  const refused = invented.filter(({ kind }) => kind !== 'answered');
  return { replies, placeOf, invented: groupBy(refused, placeOf) };
};

/** What tells of tokens: an invented one is compared where the same is asked, for a target may repeat what it is asked. */
export const toldOfTokens = (replied: readonly Seen[], view: EvidenceView): Told =>
  toldOf(
    replied.filter((seen) => isDeclared(seen.request) && tells(seen, view)),
    replied.filter(({ request }) => request.credential.form === 'invalid'),
    ({ exchange }) => exchange.request.body ?? '',
  );

/** What tells of models: an invented one is compared where the same token calls it. */
export function toldOfModels(replied: readonly Seen[], view: EvidenceView): Told {
  const telling = replied.filter((seen) => isDeclared(seen.request) && tells(seen, view));
  return toldOf(
    telling.filter(({ request }) => !isInventedModel(request)),
    telling.filter(({ request }) => isInventedModel(request)),
    ({ exchange: { request } }) => request.headers['x-api-key'] ?? request.headers.authorization ?? '',
  );
}

/** Of these replies, those that something invented is compared with, and those of them that are like what it got. */
export function comparedIn(own: readonly Seen[], { invented, placeOf }: Told) {
  const compared = own.filter((seen) => invented.has(placeOf(seen)));
  const ofEndpoint = groupBy([...invented.values()].flat(), ({ request }) => request.protocol);
  /** A number is left out of words, for it may be an id: it is a code where all invented ones of an endpoint get the same. */
  const hasOtherCode = ({ request, exchange }: Seen): boolean => {
    const refused = (ofEndpoint.get(request.protocol) ?? []).map((one) => one.exchange);
    return refused.length > 1 && tellsApart(refused, [exchange]) !== undefined;
  };
  const isAlike = (seen: Seen): boolean =>
    seen.kind !== 'answered' &&
    (invented.get(placeOf(seen)) ?? []).some(({ words }) => words === seen.words) &&
    !hasOtherCode(seen);
  return { compared, alike: compared.filter(isAlike), isAlike };
}

/** What replies show of something that is declared. */
export interface Known {
  readonly knowledge: Knowledge;
  /** What it gets where it is refused as something invented in its place is, in words. */
  readonly replies: ReadonlySet<string>;
  /** The exchanges that show it, the best first. */
  readonly exchanges: readonly string[];
}

/** Whether another one gets another reply in the same place, so that a reply is for this one. */
export const isToldApart = (
  seen: Seen,
  told: Told,
  { isOwn, isAlike }: Readonly<Record<'isOwn' | 'isAlike', (seen: Seen) => boolean>>,
): boolean =>
  told.replies.some(
    (other) => !isOwn(other) && told.placeOf(other) === told.placeOf(seen) && !isAlike(other),
  );
