import type { TokenName } from '../../../fixtures/target/target.ts';
import { groups, type Protocol, protocols } from '../../../spec/vocabulary.ts';
import { wrongValueId } from '../../cases/builder/request-ids.ts';
import type { EvidenceView, State } from '../../checks/evidence-view.ts';
import { sentOf } from '../../checks/shared/selections.ts';
import type { Exchange } from '../../types/exchange.ts';
import type { PlannedRequest } from '../../types/plan.ts';
import { declaredModels } from '../../types/scope.ts';
import { modelSent, replyWords } from '../../reading/reply-words.ts';
import { isRateLimit } from '../../reading/transient.ts';
import type { JudgedTarget } from '../report.ts';

/** Something of the declaration that the target knows nothing of: no failure of the target (principle 18). */
export type Mistake =
  | { readonly kind: 'base-address'; readonly exchanges: readonly string[] }
  | {
      readonly kind: 'token-not-accepted';
      readonly names: readonly TokenName[];
      readonly variable: string;
      /** What it gets, in words: another reply is for something else, such as an endpoint that is absent. */
      readonly replies: ReadonlySet<string>;
      readonly exchanges: readonly string[];
    }
  | {
      readonly kind: 'model-not-known';
      /** Keys of the config that name them. */
      readonly keys: readonly string[];
      /** One of a family, or all those behind the first that are not known. */
      readonly models: ReadonlySet<string>;
      readonly replies: ReadonlySet<string>;
      readonly exchanges: readonly string[];
    };

/** A request that was sent, with what came back in words. */
interface Seen {
  readonly request: PlannedRequest;
  readonly exchange: Exchange;
  readonly kind: State['kind'];
  readonly words: string;
}

/** What says nothing of a declaration: no reply came in time, or none came at all. */
const silent: ReadonlySet<string> = new Set(['unreachable', 'timeout', 'cut']);

/** All that was sent and came back, in the order of the plan. */
const seenIn = (view: EvidenceView): readonly Seen[] =>
  sentOf(
    view,
    view.plan.requests.map(({ id }) => id),
  ).flatMap((id) => {
    const [request, { kind, exchange }] = [view.request(id), view.state(id)];
    return request === undefined || exchange === undefined || silent.has(exchange.ending.kind)
      ? []
      : [{ request, exchange, kind, words: replyWords(exchange) }];
  });

const idsOf = (seen: readonly Seen[]): readonly string[] => seen.map(({ exchange }) => exchange.id);

const wordsIn = (seen: readonly Seen[]): ReadonlySet<string> => new Set(seen.map(({ words }) => words));

const areAlike = (seen: readonly Seen[]): boolean =>
  seen.every(({ kind, words }) => kind !== 'answered' && words === seen[0]?.words);

const statusOf = ({ exchange }: Seen): number => exchange.response?.status ?? 0;

/** The statuses that HTTP has for credentials: where all replies are alike, they may be for the token. */
const isForCredential = (seen: Seen): boolean => statusOf(seen) === 401 || statusOf(seen) === 403;

function isJson({ exchange }: Seen): boolean {
  try {
    return typeof JSON.parse(exchange.response?.body.text ?? '') === 'object';
  } catch {
    return false;
  }
}

/** Every path answers alike, whatever is asked: a web page, a proxy, another port. */
function baseAddress(seen: readonly Seen[]): Mistake | undefined {
  const [first] = seen;
  if (first === undefined || !areAlike(seen) || isForCredential(first) || isRateLimit(first.exchange))
    return undefined;
  const paths = new Set(seen.map(({ request }) => request.path));
  // One path alone may be absent; that of a gateway speaks JSON.
  return paths.size > 1 || !isJson(first) ? { kind: 'base-address', exchanges: idsOf(seen) } : undefined;
}

const isValid = ({ expect, version }: PlannedRequest): boolean =>
  (expect === 'answer' || expect === 'either') && version === 'declared';

/** The replies that what no console issued gets on a protocol. */
interface Invented {
  readonly tokens: (protocol: Protocol) => readonly Seen[];
  readonly model: (protocol: Protocol) => Seen | undefined;
}

function inventedIn(seen: readonly Seen[]): Invented {
  const refused = seen.filter(({ kind }) => kind !== 'answered');
  const tokensOn = new Map<Protocol, readonly Seen[]>();
  const modelOn = new Map<Protocol, Seen | undefined>();
  for (const protocol of protocols) {
    const own = refused.filter(({ request }) => request.protocol === protocol);
    const unknown = wrongValueId(protocol, 'model', 'unknown', 'unknown');
    tokensOn.set(
      protocol,
      own.filter(({ request }) => request.credential.form === 'invalid'),
    );
    modelOn.set(
      protocol,
      own.find(({ request }) => request.id === unknown),
    );
  }
  return {
    tokens: (protocol) => tokensOn.get(protocol) ?? [],
    model: (protocol) => modelOn.get(protocol),
  };
}

const hasWords = (replies: readonly Seen[], words: string): boolean =>
  replies.some((reply) => reply.words === words);

/** Whether the reply of a path is for the token, and not what everything gets there. */
function isAboutToken(use: Seen, telling: readonly Protocol[], invented: Invented): boolean {
  return isForCredential(use) || telling.some((protocol) => hasWords(invented.tokens(protocol), use.words));
}

/** Tokens that are refused wherever they are used, in the words that an invented one gets. */
function tokens(seen: readonly Seen[], target: JudgedTarget, invented: Invented): readonly Mistake[] {
  const telling = protocols.filter(
    (protocol) => !areAlike(seen.filter(({ request }) => request.protocol === protocol)),
  );
  const variables = new Set(groups.flatMap((name) => target.tokens[name]?.variable ?? []));
  return [...variables].flatMap((variable): readonly Mistake[] => {
    const own = seen.filter(
      ({ request, exchange }) =>
        request.credential.form !== 'near-miss' && showsToken(exchange.request.headers, variable),
    );
    if (own.some(({ kind }) => kind === 'answered')) return [];
    const uses = own.filter(
      ({ request, exchange }) =>
        isValid(request) &&
        request.credential.form === 'right' &&
        !isRateLimit(exchange) &&
        invented.tokens(request.protocol).length > 0,
    );
    const isLikeInvented = ({ request, words }: Seen): boolean =>
      hasWords(invented.tokens(request.protocol), words);
    const told = uses
      .filter((use) => isAboutToken(use, telling, invented))
      .sort((one, other) => Number(isForCredential(other)) - Number(isForCredential(one)));
    if (!uses.every(isLikeInvented) || told.length === 0) return [];
    const names = groups.filter((name) => target.tokens[name]?.variable === variable);
    return [{ kind: 'token-not-accepted', names, variable, replies: wordsIn(told), exchanges: idsOf(told) }];
  });
}

/** Models that are refused wherever they are called, in the words that an invented one gets. */
function models(seen: readonly Seen[], target: JudgedTarget, invented: Invented): readonly Mistake[] {
  const own = new Map<string, Seen[]>();
  for (const one of seen) {
    const model = modelSent(one.exchange) ?? '';
    const known = own.get(model);
    if (known) known.push(one);
    else own.set(model, [one]);
  }
  const declared = declaredModels(target);
  const unknown = [...new Set(declared.map(({ name }) => name))].flatMap((name) => {
    const uses = unknownUses(own.get(name) ?? [], invented);
    return uses === undefined ? [] : [{ name, uses }];
  });
  const isFirst = ({ name }: { readonly name: string }): boolean =>
    Object.values(target.models).includes(name);
  const further = unknown.filter((one) => !isFirst(one));
  // Requirements are the same for all behind the first: they have one cause.
  return [...unknown.filter(isFirst).map((one) => [one]), further].flatMap((those): readonly Mistake[] => {
    if (those.length === 0) return [];
    const names = new Set(those.map(({ name }) => name));
    const uses = those.flatMap((one) => one.uses);
    const keys = declared.filter(({ name }) => names.has(name)).map(({ key }) => key);
    return [{ kind: 'model-not-known', keys, models: names, replies: wordsIn(uses), exchanges: idsOf(uses) }];
  });
}

/** The uses of a model that show that the target does not know it; undefined where they do not. */
function unknownUses(own: readonly Seen[], invented: Invented): readonly Seen[] | undefined {
  if (own.some(({ kind }) => kind === 'answered')) return undefined;
  // Where an invented model gets what an invented token gets, the reply is not for the model.
  const uses = own.filter(({ request, exchange, words: reply }) => {
    const words = invented.model(request.protocol)?.words;
    const isForToken = (each: string): boolean => hasWords(invented.tokens(request.protocol), each);
    const isTold = words !== undefined && !isForToken(words) && !isForToken(reply);
    return isTold && isValid(request) && request.credential.form === 'right' && !isRateLimit(exchange);
  });
  const isLikeInvented = ({ request, words }: Seen): boolean =>
    invented.model(request.protocol)?.words === words;
  return uses.every(isLikeInvented) && uses.some(({ request }) => request.expect === 'answer')
    ? uses
    : undefined;
}

/** What of the declaration is wrong, as far as the recorded exchanges show it. Pure. */
export function mistakesIn(view: EvidenceView, target: JudgedTarget): readonly Mistake[] {
  const seen = seenIn(view);
  const address = baseAddress(seen);
  const invented = inventedIn(seen);
  return address ? [address] : [...tokens(seen, target, invented), ...models(seen, target, invented)];
}

const showsToken = (headers: Exchange['request']['headers'], variable: string): boolean =>
  Object.values(headers).some((value) => value.includes(`\${${variable}}`));

/** The mistake that the reply of an exchange is for; undefined where it is for none. */
export function mistakeBehind(mistakes: readonly Mistake[], exchange: Exchange): Mistake | undefined {
  if (mistakes.length === 0) return undefined;
  const words = replyWords(exchange);
  const model = modelSent(exchange) ?? '';
  return mistakes.find((mistake) => {
    if (mistake.kind === 'base-address') return true;
    if (!mistake.replies.has(words)) return false;
    return mistake.kind === 'token-not-accepted'
      ? showsToken(exchange.request.headers, mistake.variable)
      : mistake.models.has(model);
  });
}

/** The keys of the config that a mistake is in. */
export function configKeysOf(mistake: Mistake): readonly string[] {
  if (mistake.kind === 'base-address') return ['target.baseUrl'];
  return mistake.kind === 'token-not-accepted' ? mistake.names.map((name) => `tokens.${name}`) : mistake.keys;
}
