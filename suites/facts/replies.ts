import type { Knowledge } from '../types/declared.ts';
import { groupBy } from '../../spec/group-by.ts';
import { once, oncePerObject } from '../../spec/once.ts';
import { type Target, tokenNames } from '../../fixtures/target/target.ts';
import { cellId } from '../types/request-ids.ts';
import type { EvidenceView, State } from '../checks/evidence-view.ts';
import { tellsApart } from '../checks/shared/refusal-features.ts';
import { sentOf } from '../checks/shared/meant-replies.ts';
import { valueAt } from '../reading/json.ts';
import { modelSent, replyWords } from '../reading/reply-words.ts';
import { isRateLimit } from '../reading/transient.ts';
import type { Exchange } from '../types/exchange.ts';
import type { PlannedRequest } from '../types/plan.ts';
import { declaredModels } from '../types/scope.ts';

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

const wordsIn = (seen: readonly Seen[]): ReadonlySet<string> => new Set(seen.map(({ words }) => words));

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
type Told = ReturnType<typeof toldOf>;

const toldOf = (replies: readonly Seen[], invented: readonly Seen[], other: (seen: Seen) => string) => {
  /** Where a reply is compared: the same endpoint, with the same model or the same token. */
  const placeOf = (seen: Seen): string => JSON.stringify([seen.request.protocol, other(seen)]);
  const refused = invented.filter(({ kind }) => kind !== 'answered');
  return { replies, placeOf, inPlace: groupBy(replies, placeOf), invented: groupBy(refused, placeOf) };
};

/** What tells of tokens: an invented one is compared where the same is asked, for a target may repeat what it is asked. */
const toldOfTokens = (replied: readonly Seen[], view: EvidenceView): Told =>
  toldOf(
    replied.filter((seen) => isDeclared(seen.request) && tells(seen, view)),
    replied.filter(({ request }) => request.credential.form === 'invalid'),
    ({ exchange }) => exchange.request.body ?? '',
  );

/** What tells of models: an invented one is compared where the same token calls it. */
function toldOfModels(replied: readonly Seen[], view: EvidenceView): Told {
  const telling = replied.filter((seen) => isDeclared(seen.request) && tells(seen, view));
  return toldOf(
    telling.filter(({ request }) => !isInventedModel(request)),
    telling.filter(({ request }) => isInventedModel(request)),
    ({ exchange: { request } }) => request.headers['x-api-key'] ?? request.headers.authorization ?? '',
  );
}

/** Of these replies, those that something invented is compared with, and those of them that are like what it got. */
function comparedIn(own: readonly Seen[], { invented, placeOf }: Told) {
  const compared = own.filter((seen) => invented.has(placeOf(seen)));
  const ofEndpoint = groupBy([...invented.values()].flat(), ({ request }) => request.protocol);
  /** A number is left out of words, for it may be an id: it is a code where all invented ones of an endpoint get the same. */
  const hasOtherCode = ({ request, exchange }: Seen): boolean => {
    const refused = (ofEndpoint.get(request.protocol) ?? []).map((one) => one.exchange);
    return refused.length > 1 && tellsApart(refused, [exchange]) !== undefined;
  };
  const isAlike = oncePerObject(
    (seen: Seen): boolean =>
      seen.kind !== 'answered' &&
      (invented.get(placeOf(seen)) ?? []).some(({ words }) => words === seen.words) &&
      !hasOtherCode(seen),
  );
  return { compared, alike: compared.filter(isAlike), isAlike };
}

/** Whether another one gets another reply in the same place, so that a reply is for this one. */
const isToldApart = (
  seen: Seen,
  told: Told,
  { isOwn, isAlike }: Readonly<Record<'isOwn' | 'isAlike', (seen: Seen) => boolean>>,
): boolean =>
  told.inPlace.get(told.placeOf(seen))?.some((other) => !isOwn(other) && !isAlike(other)) ?? false;

/** @param facts of the tokens: a token that the target does not know shows nothing of a model */
export function modelFacts(
  replied: readonly Seen[],
  view: EvidenceView,
  target: Declaration,
  facts: readonly TokenFact[],
) {
  const unknown = facts.filter(({ knowledge }) => knowledge === 'unknown');
  const isUnknown = ({ exchange }: Seen): boolean =>
    unknown.some(({ variable }) => showsToken(exchange.request.headers, variable));
  const told = toldOfModels(
    replied.filter((seen) => !isUnknown(seen)),
    view,
  );
  const declared = declaredModels(target);
  const tokens = groupBy(
    replied.filter(({ request, kind }) => request.credential.form === 'invalid' && kind !== 'answered'),
    ({ request }) => request.protocol,
  );
  /** An invented token gets the same: the reply is for the token, or for the endpoint. */
  const isOfToken = ({ request, words }: Seen): boolean =>
    (tokens.get(request.protocol) ?? []).some((each) => each.words === words);
  return [...new Set(declared.map(({ name }) => name))].map((name) => ({
    name,
    /** Keys of the config that name it. */
    keys: declared.filter((model) => model.name === name).map(({ key }) => key),
    ...knowledgeOfModel(name, told, isOfToken),
  }));
}

function knowledgeOfModel(name: string, told: Told, isOfToken: (seen: Seen) => boolean) {
  const isOwn = ({ exchange }: Seen): boolean => modelSent(exchange) === name;
  const own = told.replies.filter(isOwn);
  const { isAlike } = comparedIn(own, told);
  const isApart = (seen: Seen): boolean => isToldApart(seen, told, { isOwn, isAlike });
  const { compared, alike } = comparedIn(
    own.filter((seen) => !isOfToken(seen) || isApart(seen)),
    told,
  );
  const others = compared.filter((seen) => !alike.includes(seen));
  // A gateway may refuse what a group or an endpoint does not serve as it refuses what it does not know.
  const unknown = alike.filter((seen) => seen.request.expect === 'answer');
  return {
    ...shownBy({ own, compared, others, unknown, alike }),
    /** Where it is not known: another model gets another reply in the same place, so that the reply is for the model. */
    isToldApart: alike.some(isApart),
    replies: wordsIn(alike),
  };
}

/** What tells most of something declared: an answer, a reply that nothing invented gets, then what is like that of something invented. */
function shownBy(
  seen: Readonly<Record<'own' | 'compared' | 'others' | 'unknown' | 'alike', readonly Seen[]>>,
) {
  const { own, compared, others, unknown, alike } = seen;
  const shown = (knowledge: Knowledge, by: readonly Seen[]) => ({ knowledge, exchanges: idsOf(by) });
  const answered = own.filter(({ kind }) => kind === 'answered');
  if (answered.length > 0) return shown('accepted', answered);
  if (others.length > 0) return shown('known', others);
  if (compared.length === 0) return shown('not-compared', own);
  return unknown.length > 0 ? shown('unknown', unknown) : shown('alike', alike);
}

export type TokenFact = ReturnType<typeof tokenFacts>[number];

export function tokenFacts(replied: readonly Seen[], view: EvidenceView, { tokens }: Declaration) {
  const told = toldOfTokens(replied, view);
  const variables = new Set(tokenNames().flatMap((name) => tokens[name]?.variable ?? []));
  return [...variables].map((variable) => ({
    names: tokenNames().filter((name) => tokens[name]?.variable === variable),
    variable,
    ...knowledgeOfToken(variable, told),
  }));
}

function knowledgeOfToken(variable: string, told: Told) {
  const isOwn = ({ exchange }: Seen): boolean => showsToken(exchange.request.headers, variable);
  const own = told.replies.filter(isOwn);
  const { compared: all, alike, isAlike } = comparedIn(own, told);
  // A limit is what a spent token is declared for: where an invented one gets it too, that is no word about the token.
  const compared = all.filter((seen) => !isAlike(seen) || !isRateLimit(seen.exchange));
  // What every token gets in a place says nothing of one, unless HTTP has the status for credentials.
  const isTold = (seen: Seen): boolean =>
    isForCredential(seen) || isToldApart(seen, told, { isOwn, isAlike });
  const refused = alike
    .filter(isTold)
    .sort((one, other) => Number(isForCredential(other)) - Number(isForCredential(one)));
  const others = own.filter(
    (seen) => !isAlike(seen) && (compared.includes(seen) || isRateLimit(seen.exchange)),
  );
  return { ...shownBy({ own, compared, others, unknown: refused, alike }), replies: wordsIn(refused) };
}
