import { isDeepStrictEqual } from 'node:util';
import type { Family, Group, Protocol, TextProtocol } from '../../spec/vocabulary.ts';
import type { CauseKind } from '../types/cause.ts';
import type { FailureReason } from '../types/reasons/index.ts';
import type { StopReason } from '../types/reasons/exchange-reasons.ts';
import type { AddressFault } from './facts.ts';
import type { Mistake } from './mistakes.ts';
import type { ModelAnswers } from './model-answers.ts';
import type { Silence } from './silence.ts';
import type { RefusedFactor, RefusedRequest } from './refused-requests.ts';
import type { UnjudgedKind, UnjudgedReplies } from './unjudged-replies.ts';
import type { WrongKind, WronglyAnswered } from './wrongly-answered.ts';

interface Shown {
  /** Ids of the exchanges that show it, the best first. */
  readonly evidence: readonly string[];
}

export type MistakeKind = Mistake['kind'];

/** A fact about target or run with its evidence; the functions that make sentences take one and nothing else (principle 17). */
export type Fact =
  | (Shown & { readonly kind: 'unreachable'; readonly detail: string })
  | (Shown & {
      /** Of the operator: something in the config is wrong. */
      readonly kind: 'mistake';
      readonly mistake: MistakeKind;
      /** What stands at an address that is not that of a gateway. */
      readonly fault?: AddressFault;
      readonly configKeys: readonly string[];
      readonly status: string | undefined;
    })
  | (Shown & {
      readonly kind: 'endpoint-absent' | 'endpoint-unanswered' | 'token-not-accepted';
      readonly protocol: Protocol;
      readonly refused: number;
      /** Of how many, where those were refused at first only, and answered when they were sent again. */
      readonly passingOf?: number;
      /** How many it had answered, where it refused these from then on to the end of the run. */
      readonly answered?: number;
      readonly status: string | undefined;
    })
  | (Shown & {
      readonly kind: 'family-not-served';
      readonly family: Family;
      readonly protocol: Protocol;
      /** Those that were asked, none of which is served. */
      readonly groups: readonly Group[];
      /** Served to one of them where no stream is asked for. */
      readonly isStreamed: boolean;
      readonly status: string | undefined;
    })
  | (Shown & { readonly kind: 'stream-not-offered'; readonly protocols: readonly TextProtocol[] })
  | (Shown & {
      readonly kind: 'parameter-not-supported' | 'text-refused';
      readonly factors: readonly RefusedFactor[];
      readonly request: RefusedRequest;
      readonly status: string | undefined;
    })
  | (Shown & {
      readonly kind: 'result-field-broken' | 'requirement-broken';
      readonly requirement: string;
      /** Undefined where it is about no single one. */
      readonly protocol: Protocol | undefined;
      readonly message: string;
      readonly reason: FailureReason;
      readonly actual: string;
      readonly pointer: string | undefined;
      /** In how many replies, and which; empty where all show it. */
      readonly share: string;
      /** Of a valid request that is refused: how, and the sentence that it keeps to. */
      readonly refused?: { readonly status: string | undefined; readonly statement: string };
    })
  | (Shown & Omit<WronglyAnswered, 'kind'> & { readonly kind: 'not-refused'; readonly wrong: WrongKind })
  | (Shown & { readonly kind: UnjudgedKind; readonly replies: UnjudgedReplies })
  | (Shown & { readonly kind: 'stopped-answering'; readonly silence: Silence })
  | (Shown & { readonly kind: 'run-stopped'; readonly stop: StopReason | undefined })
  | (Shown & { readonly kind: 'not-decided'; readonly code: string; readonly message: string })
  | (Shown & {
      readonly kind: 'model-behaviour';
      readonly message: string;
      /** Of the models that it depends on: one at least, and each with a reply that lacks what was asked for. */
      readonly answers: readonly [ModelAnswers, ...ModelAnswers[]];
    })
  | (Shown & { readonly kind: 'too-fast'; readonly protocol: Protocol | undefined; readonly message: string })
  | (Shown & { readonly kind: 'not-declared'; readonly message: string })
  | (Shown & { readonly kind: 'not-asked'; readonly why: string; readonly message: string });

/** What a requirement is broken by. */
export type BrokenFact = Extract<Fact, { readonly kind: 'result-field-broken' | 'requirement-broken' }>;

/** What stands behind a fact in the id of its cause: what it is about. */
function aboutOf(fact: Fact): string | undefined {
  switch (fact.kind) {
    case 'mistake':
      if (fact.mistake !== 'base-address') return aboutKeys(fact.configKeys);
      return fact.fault === 'alike' ? undefined : fact.fault;
    case 'endpoint-absent':
    case 'endpoint-unanswered':
    case 'token-not-accepted':
      return fact.protocol;
    case 'family-not-served':
      return `${fact.family}.${fact.protocol}`;
    case 'stream-not-offered':
      return fact.protocols.length > 1 ? undefined : fact.protocols[0];
    case 'parameter-not-supported':
    case 'text-refused':
      return `${fact.request.protocol}.${fact.factors.map(nameOf).join('+')}`;
    case 'result-field-broken':
    case 'requirement-broken':
      return fact.requirement;
    case 'not-refused':
      return fact.wrong;
    case 'limit-hit':
    case 'no-answer-in-time':
    case 'no-usable-reply':
      return fact.replies.protocol;
    case 'not-decided':
      return fact.code;
    case 'not-asked':
      return fact.why;
    default:
      return undefined;
  }
}

const mostKeys = 3;

const aboutKeys = (keys: readonly string[]): string =>
  [...keys.slice(0, mostKeys), ...(keys.length > mostKeys ? [String(keys.length - mostKeys)] : [])].join('+');

function nameOf(factor: RefusedFactor): string {
  switch (factor.kind) {
    case 'sign':
      return `sign-${(factor.sign.codePointAt(0) ?? 0).toString(16)}`;
    case 'caller':
      return factor.kind;
    case 'unstreamed':
      return 'stream';
    case 'setting':
      return factor.factor;
    default:
      return factor.name.replaceAll('_', '-');
  }
}

export const causeKindOf = (fact: Fact): CauseKind => (fact.kind === 'mistake' ? fact.mistake : fact.kind);

/** The id of a cause: its kind, and what it is about. Stable from run to run. */
export function causeId(fact: Fact): string {
  const about = aboutOf(fact);
  return about === undefined ? causeKindOf(fact) : `${causeKindOf(fact)}:${about}`;
}

/** Whether two facts behind one failed row are told together: what several endpoints refuse for the same is one cause. */
export const isSameCause = (one: Fact, other: Fact): boolean =>
  causeId(one) === causeId(other) ||
  ('factors' in one &&
    'factors' in other &&
    one.kind === other.kind &&
    isDeepStrictEqual(one.factors, other.factors));
