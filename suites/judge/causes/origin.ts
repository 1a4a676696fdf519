import { once } from '../../../spec/once.ts';
import { isTextProtocol, type Protocol } from '../../../spec/vocabulary.ts';
import { type EvidenceView, isTaken } from '../../checks/evidence-view.ts';
import { streamsOf } from '../../checks/shared/selections.ts';
import type { Exchange } from '../../types/exchange.ts';
import type { CauseKind } from '../../types/cause.ts';
import type { PlannedRequest } from '../../types/plan.ts';
import type { Transient, UnsentReason } from '../../types/reasons/exchange-reasons.ts';
import { dependencies } from '../../plan/dependencies.ts';
import { isRateLimit, isRefusalWithRetryAfter, retryAfterMs } from '../../reading/transient.ts';
import { type DeadEndpoint, deadEndpoints } from './dead-endpoints.ts';
import { configKeysOf, type Mistake } from './mistake.ts';
import { mistakeBehind } from './find-mistakes.ts';

/** What stands behind a verdict, and the exchanges that show it. */
export interface Origin {
  readonly kind: CauseKind;
  /** What it is about: behind the kind in its id. */
  readonly about?: string;
  readonly configKeys?: readonly string[];
  readonly evidence: readonly string[];
}

/** Tells why a planned request brought nothing to judge. */
export interface OriginReader {
  /** Why it was not answered, or not sent; undefined where it was answered, or nothing beyond itself is to blame. */
  readonly ofRequest: (id: string) => Origin | undefined;
  /** Why no valid request of a protocol is answered. */
  readonly ofEndpoint: (protocol: Protocol) => Origin | undefined;
}

/** The most keys in the id of a cause. */
const mostKeys = 3;

const aboutKeys = (keys: readonly string[]): string =>
  [...keys.slice(0, mostKeys), ...(keys.length > mostKeys ? [String(keys.length - mostKeys)] : [])].join('+');

/** The origin of what rests on a mistake of the operator. */
export const originOfMistake = (mistake: Mistake, shown?: string): Origin => {
  const configKeys = configKeysOf(mistake);
  const evidence = [...(shown === undefined ? [] : [shown]), ...mistake.exchanges];
  return mistake.kind === 'base-address'
    ? { kind: mistake.kind, configKeys, evidence }
    : { kind: mistake.kind, about: aboutKeys(configKeys), configKeys, evidence };
};

/** A refusal whose Retry-After names no time says nothing of a limit. */
const isToldAsLimit = (exchange: Exchange): boolean =>
  isRateLimit(exchange) && (!isRefusalWithRetryAfter(exchange) || retryAfterMs(exchange, 0) !== null);

/** When the last request was sent that got a reply; empty where none did. ISO 8601, in UTC. */
const lastReached = (view: EvidenceView): string =>
  view.plan.requests.reduce((last, { id }) => {
    const { exchange } = view.state(id);
    const at = exchange?.response ? exchange.timing.startedAt : '';
    return at > last ? at : last;
  }, '');

function ofTransient(
  { cause }: Transient,
  { exchange, protocol, reached }: { exchange: Exchange; protocol: Protocol; reached: () => string },
): Origin {
  const evidence = [exchange.id];
  // A target that replies later can be reached: it closed the connection on this request.
  if (cause === 'unreachable' && exchange.timing.startedAt >= reached())
    return { kind: 'unreachable', evidence };
  if (cause === 'timeout') return { kind: 'no-answer-in-time', about: protocol, evidence };
  if (isToldAsLimit(exchange)) return { kind: 'limit-hit', about: protocol, evidence };
  return { kind: 'no-usable-reply', about: protocol, evidence };
}

/** What an unsent request leads to: an origin, or the requests that it waited for. */
function ofUnsent(unsent: UnsentReason, request: PlannedRequest): Origin | readonly string[] {
  switch (unsent.kind) {
    case 'unreachable':
      return { kind: 'unreachable', evidence: [] };
    case 'target-given-up':
      return unsent.last.cause === 'unreachable'
        ? { kind: 'unreachable', evidence: [] }
        : { kind: 'run-stopped', evidence: [] };
    case 'stopped':
    case 'duration-spent':
    case 'budget-spent':
      return { kind: 'run-stopped', evidence: [] };
    case 'no-reply-in-time':
      return { kind: 'no-answer-in-time', about: request.protocol, evidence: [] };
    case 'no-model-declared':
    case 'no-token-declared':
      return { kind: 'not-declared', evidence: [] };
    case 'not-answered':
      return unsent.exchanges;
    case 'reply-lacks':
      return [unsent.exchange];
    default:
      return dependencies(request);
  }
}

/** @param mistakes those of the operator, which go before all else */
export function createOriginReader(view: EvidenceView, mistakes: readonly Mistake[]): OriginReader {
  const dead = deadEndpoints(view);
  // Of a target that is reached by all requests nobody asks.
  const reached = once(() => lastReached(view));
  const known = new Map<string, Origin | undefined>();
  /** Where there is none, that is why a run is given up. */
  const noGateway = mistakes
    .filter(({ kind }) => kind === 'base-address')
    .map((one) => originOfMistake(one))[0];

  const ofDead = (protocol: Protocol, { kind, refusals }: DeadEndpoint): Origin =>
    mistakeOf(refusals) ?? { kind, about: protocol, evidence: refusals };

  function mistakeOf(ids: readonly string[]): Origin | undefined {
    for (const id of ids) {
      const { kind, exchange } = view.state(id);
      const mistake = kind !== 'answered' && exchange && mistakeBehind(mistakes, exchange);
      if (mistake) return originOfMistake(mistake);
    }
    return undefined;
  }

  const ofEndpoint = (protocol: Protocol): Origin | undefined => {
    const found = dead.get(protocol);
    return found && ofDead(protocol, found);
  };

  /** Every stream of a protocol is refused. */
  const refusesStreams = (protocol: Protocol): boolean =>
    isTextProtocol(protocol) &&
    streamsOf(view.plan, protocol).every((id) => !isTaken(view, id)) &&
    streamsOf(view.plan, protocol).some((id) => view.state(id).kind === 'refused');

  function ofRefused(id: string, request: PlannedRequest): Origin | undefined {
    const { protocol, callers, stream, stage } = request;
    if (request.expect === 'refusal' || request.expect === 'limited') return undefined;
    const endpoint = ofEndpoint(protocol);
    if (endpoint !== undefined) return endpoint;
    const evidence = [id];
    if (stream && refusesStreams(protocol)) return { kind: 'stream-not-offered', about: protocol, evidence };
    const [caller] = callers;
    const isCell = stage === 'discovery' && request.expect === 'answer' && callers.length === 1;
    return isCell && caller
      ? { kind: 'family-not-served', about: `${caller.family}.${protocol}`, evidence }
      : undefined;
  }

  function look(id: string): Origin | undefined {
    const request = view.request(id);
    if (request === undefined || view.isStoodFor(id)) return undefined;
    const state = view.state(id);
    if (state.kind === 'answered') return undefined;
    const mistake = mistakeOf([id]);
    if (mistake) return mistake;
    if (state.kind === 'refused') return ofRefused(id, request);
    if (state.why.kind === 'not-recorded') return { kind: 'run-stopped', evidence: [] };
    if (state.why.kind === 'transient' && state.exchange)
      return ofTransient(state.why.transient, {
        exchange: state.exchange,
        protocol: request.protocol,
        reached,
      });
    if (state.why.kind !== 'not-sent') return undefined;
    const found = ofUnsent(state.why.unsent, request);
    if ('kind' in found) return noGateway ?? found;
    return found.map(ofRequest).find((origin) => origin !== undefined);
  }

  function ofRequest(id: string): Origin | undefined {
    if (!known.has(id)) {
      known.set(id, undefined);
      known.set(id, look(id));
    }
    return known.get(id);
  }

  return { ofRequest, ofEndpoint };
}
