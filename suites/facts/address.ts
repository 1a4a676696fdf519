import type { EvidenceView } from '../checks/evidence-view.ts';
import { headerOf } from '../reading/headers.ts';
import { isRateLimit } from '../reading/transient.ts';
import type { Ending } from '../types/reasons/exchange-reasons.ts';
import { areAlike, idsOf, isForCredential, repliedIn, type Seen, statusOf } from './replies.ts';

/** What stands at an address that is not that of a gateway. */
export type AddressFault =
  /** Every path answers alike: a web page, another port. */
  | 'alike'
  /** Every request is sent on to another address, as to a login. */
  | 'redirected'
  /** A proxy in front says that what is behind it is down. */
  | 'upstream-down'
  /** A proxy wants credentials of its own. */
  | 'proxy-credentials'
  /** The other scheme than that of the config is spoken there. */
  | 'speaks-http'
  | 'speaks-https';

/** Nothing of what is declared was reached. */
export interface AddressFact {
  readonly fault: AddressFault;
  /** The replies, which are all alike; none where no request was sent. */
  readonly exchanges: readonly string[];
}

/** The status by which a proxy refuses to connect: its reply is none of the target. */
const proxyStatus = (ending: Ending): number | undefined =>
  ending.kind === 'unreachable' ? ending.proxyStatus : undefined;

function faultOf(seen: Seen): AddressFault {
  const status = proxyStatus(seen.exchange.ending) ?? statusOf(seen);
  const { response } = seen.exchange;
  if (status === 407) return 'proxy-credentials';
  if (status >= 300 && status < 400 && response !== null && headerOf(response, 'location') !== undefined)
    return 'redirected';
  return status >= 502 && status <= 504 ? 'upstream-down' : 'alike';
}

function isJson({ exchange }: Seen): boolean {
  try {
    return typeof JSON.parse(exchange.response?.body.text ?? '') === 'object';
  } catch {
    return false;
  }
}

function alike(seen: readonly Seen[]): AddressFact | undefined {
  const [first] = seen;
  if (first === undefined || !areAlike(seen) || isForCredential(first) || isRateLimit(first.exchange))
    return undefined;
  const paths = new Set(seen.map(({ request }) => request.path));
  // One path alone may be absent; that of a gateway speaks JSON.
  if (paths.size === 1 && isJson(first)) return undefined;
  return { fault: faultOf(first), exchanges: idsOf(seen) };
}

function otherScheme(view: EvidenceView): AddressFact | undefined {
  for (const { id } of view.plan.requests) {
    const state = view.state(id);
    const unsent = state.kind === 'unclear' && state.why.kind === 'not-sent' ? state.why.unsent : undefined;
    if (unsent?.kind === 'wrong-scheme') return { fault: `speaks-${unsent.speaks}`, exchanges: [] };
  }
  return undefined;
}

/** What is wrong with the address; undefined where a gateway is there, or nothing shows that there is none. */
export function addressFact(sent: readonly Seen[], view: EvidenceView): AddressFact | undefined {
  const refusedByProxy = sent.filter(({ exchange }) => proxyStatus(exchange.ending) !== undefined);
  const [first] = refusedByProxy;
  const replied = repliedIn(sent);
  const scheme = otherScheme(view);
  if (scheme) return { ...scheme, exchanges: idsOf(sent) };
  if (first !== undefined && replied.length === 0)
    return { fault: faultOf(first), exchanges: idsOf(refusedByProxy) };
  return alike(replied);
}
