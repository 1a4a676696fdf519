import { once } from '../../../spec/once.ts';
import { protocols, type Protocol } from '../../../spec/vocabulary.ts';
import { wrongValueId } from '../../cases/builder/request-ids.ts';
import type { EvidenceView, State } from '../../checks/evidence-view.ts';
import { sentOf } from '../../checks/shared/selections.ts';
import { replyWords } from '../../reading/reply-words.ts';
import type { Exchange } from '../../types/exchange.ts';
import type { PlannedRequest } from '../../types/plan.ts';

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

/** All that was sent and came back, in the order of the plan. */
export const seenIn = (view: EvidenceView): readonly Seen[] =>
  sentOf(
    view,
    view.plan.requests.map(({ id }) => id),
  ).flatMap((id) => {
    const [request, { kind, exchange }] = [view.request(id), view.state(id)];
    return request === undefined || exchange === undefined || silent.has(exchange.ending.kind)
      ? []
      : [asSeen({ request, exchange, kind })];
  });

export const idsOf = (seen: readonly Seen[]): readonly string[] => seen.map(({ exchange }) => exchange.id);

export const wordsIn = (seen: readonly Seen[]): ReadonlySet<string> =>
  new Set(seen.map(({ words }) => words));

export const areAlike = (seen: readonly Seen[]): boolean =>
  seen.every(({ kind, words }) => kind !== 'answered' && words === seen[0]?.words);

const statusOf = ({ exchange }: Seen): number => exchange.response?.status ?? 0;

/** The statuses that HTTP has for credentials: where all replies are alike, they may be for the token. */
export const isForCredential = (seen: Seen): boolean => statusOf(seen) === 401 || statusOf(seen) === 403;

export const isValid = ({ expect, version }: PlannedRequest): boolean =>
  (expect === 'answer' || expect === 'either') && version === 'declared';

export const showsToken = (headers: Exchange['request']['headers'], variable: string): boolean =>
  Object.values(headers).some((value) => value.includes(`\${${variable}}`));

/** The replies that what no console issued gets on a protocol. */
export interface Invented {
  readonly tokens: (protocol: Protocol) => readonly Seen[];
  readonly model: (protocol: Protocol) => Seen | undefined;
}

export function inventedIn(seen: readonly Seen[]): Invented {
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

export const hasWords = (replies: readonly Seen[], words: string): boolean =>
  replies.some((reply) => reply.words === words);
