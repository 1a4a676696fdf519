import { type EvidenceView, isTaken } from '../../checks/evidence-view.ts';
import { once } from '../../../spec/once.ts';
import type { Protocol } from '../../../spec/vocabulary.ts';
import { type DeadEndpoint, deadEndpoints, streamlessEndpoints } from '../../facts/dead-endpoints.ts';
import type { Fact } from '../../facts/fact.ts';
import { unreachedSince, unjudgedKind, unjudgedReplies } from '../../facts/unjudged-replies.ts';
import { dependencies } from '../../plan/dependencies.ts';
import type { Exchange } from '../../types/exchange.ts';
import type { PlannedRequest } from '../../types/plan.ts';
import type { Transient, UnsentReason } from '../../types/reasons/exchange-reasons.ts';
import { endingWords } from '../../types/reasons/exchange-words.ts';
import { configKeysOf, isCertain, type Mistake, mistakeBehind } from '../../facts/mistakes.ts';
import { silenceIn } from '../../facts/silence.ts';
import { transientIn } from '../../facts/valid-replies.ts';

/** Tells by which fact a planned request brought nothing to judge. */
export type UnansweredReader = ReturnType<typeof unansweredReader>;

/** `HTTP 503`: the status of the reply to a request; undefined where none came. */
export function statusOf(view: EvidenceView, id: string | undefined): string | undefined {
  const response = id === undefined ? undefined : view.state(id).exchange?.response;
  return response ? `HTTP ${response.status}` : undefined;
}

/** That of the first attempt, which was refused and answered when it was sent again. */
export function refusedStatusOf(view: EvidenceView, id: string | undefined): string | undefined {
  const status = id === undefined ? undefined : view.state(id).exchange?.attempts[0]?.status;
  return status ? `HTTP ${status}` : undefined;
}

/** What an unsent request leads to: a fact, or the requests that it waited for. */
function ofUnsent(
  unsent: UnsentReason,
  { protocol, ...request }: PlannedRequest,
  view: EvidenceView,
): Fact | readonly string[] {
  switch (unsent.kind) {
    case 'unreachable':
      return { kind: 'unreachable', detail: unsent.detail, evidence: [] };
    case 'target-given-up':
      return unsent.last.cause === 'unreachable'
        ? { kind: 'unreachable', detail: unsent.last.detail, evidence: [] }
        : { kind: 'run-stopped', stop: unsent, evidence: [] };
    case 'stopped':
    case 'wrong-scheme':
    case 'mistake-found':
    case 'duration-spent':
    case 'budget-spent':
      return { kind: 'run-stopped', stop: unsent, evidence: [] };
    case 'no-reply-in-time': {
      const late = unjudgedReplies(view, protocol, 'no-answer-in-time');
      // Replies that are too large to end close a kind as well.
      const replies = late.tally.seen > 0 ? late : unjudgedReplies(view, protocol, 'no-usable-reply');
      return { kind: replies.kind, replies, evidence: replies.exchanges };
    }
    case 'no-model-declared':
    case 'no-token-declared':
      return { kind: 'not-declared', message: 'no model or token for it', evidence: [] };
    case 'not-answered':
      return unsent.exchanges;
    case 'reply-lacks':
      return [unsent.exchange];
    default:
      return dependencies({ protocol, ...request });
  }
}

/** @param mistakes those of the operator, which go before all else */
export function unansweredReader(view: EvidenceView, mistakes: readonly Mistake[]) {
  const dead = deadEndpoints(view);
  const streamless = once(() => streamlessEndpoints(view));
  // Of a target that is reached by all requests nobody asks.
  const unreached = once(() => unreachedSince(view));
  const known = new Map<string, Fact | undefined>();
  /** Where there is no gateway, that is why a run is given up; where it is stopped for a mistake, the first one is. */
  const stoppedBy = (unsent: UnsentReason): Fact | undefined =>
    mistakes
      .filter((one) => one.kind === 'base-address' || (unsent.kind === 'mistake-found' && isCertain(one)))
      .map((mistake) => factOfMistake(mistake, view))[0];
  const silence = once(() => silenceIn(view));
  /** Where no reply came in time because none came any more. */
  function ofSilence(fact: Fact): Fact | undefined {
    const silent = silence();
    const isAllSilent =
      silent !== undefined &&
      fact.kind === 'no-answer-in-time' &&
      fact.replies.exchanges.every((id) => silent.exchanges.includes(id));
    return isAllSilent
      ? { kind: 'stopped-answering', silence: silent, evidence: silent.suspects }
      : undefined;
  }

  function mistakeOf(ids: readonly string[]): Fact | undefined {
    for (const id of ids) {
      const { kind, exchange } = view.state(id);
      const mistake = kind !== 'answered' && exchange && mistakeBehind(mistakes, exchange);
      if (mistake) return factOfMistake(mistake, view);
    }
    return undefined;
  }

  const ofDead = ({ kind, protocol, refusals }: DeadEndpoint): Fact =>
    mistakeOf(refusals) ?? {
      kind,
      protocol,
      refused: refusals.length,
      status: statusOf(view, refusals[0]),
      evidence: refusals,
    };

  const ofEndpoint = (protocol: Protocol): Fact | undefined => {
    const found = dead.get(protocol);
    return found && ofDead(found);
  };

  function ofStreams(protocol: Protocol): Fact | undefined {
    const all = streamless();
    const own = all.find((each) => each.protocol === protocol);
    return (
      own && {
        kind: 'stream-not-offered',
        protocols: all.map((each) => each.protocol),
        evidence: [...own.refusals, ...all.flatMap(({ refusals }) => refusals)],
      }
    );
  }

  function ofTransient(transient: Transient, exchange: Exchange, protocol: Protocol): Fact {
    const { ending, timing } = exchange;
    // A target that replies later can be reached: it closed the connection on this request.
    const since = unreached();
    if (transient.cause === 'unreachable' && since !== undefined && timing.startedAt >= since)
      return { kind: 'unreachable', detail: endingWords(ending), evidence: [exchange.id] };
    const replies = unjudgedReplies(view, protocol, unjudgedKind(transient, exchange));
    return { kind: replies.kind, replies, evidence: [exchange.id] };
  }

  function look(id: string): Fact | undefined {
    const request = view.request(id);
    if (request === undefined || view.isStoodFor(id) || isTaken(view, id)) return undefined;
    const state = view.state(id);
    if (state.kind === 'answered') return undefined;
    const mistake = mistakeOf([id]);
    if (mistake) return mistake;
    const { protocol, stream, expect } = request;
    if (state.kind === 'refused')
      return expect === 'refusal' || expect === 'limited'
        ? undefined
        : (ofEndpoint(protocol) ?? (stream ? ofStreams(protocol) : undefined));
    if (state.why.kind === 'not-recorded') return { kind: 'run-stopped', stop: undefined, evidence: [] };
    const silent = silence();
    if (silent?.exchanges.includes(id))
      return { kind: 'stopped-answering', silence: silent, evidence: silent.suspects };
    const transient = transientIn(state);
    if (transient && state.exchange) return ofTransient(transient, state.exchange, protocol);
    if (state.why.kind !== 'not-sent') return undefined;
    const found = ofUnsent(state.why.unsent, request, view);
    if ('kind' in found) return stoppedBy(state.why.unsent) ?? ofSilence(found) ?? found;
    return found.map(ofRequest).find((fact) => fact !== undefined);
  }

  /** Undefined where it was answered, or where nothing beyond itself is to blame. */
  function ofRequest(id: string): Fact | undefined {
    if (!known.has(id)) {
      known.set(id, undefined);
      known.set(id, look(id));
    }
    return known.get(id);
  }

  return { ofRequest, ofEndpoint };
}

export function factOfMistake(mistake: Mistake, view: EvidenceView): Fact {
  return {
    kind: 'mistake',
    mistake: mistake.kind,
    ...('fault' in mistake ? { fault: mistake.fault } : {}),
    configKeys: configKeysOf(mistake),
    status: statusOf(view, mistake.exchanges[0]),
    evidence: mistake.exchanges,
  };
}
