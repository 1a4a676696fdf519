import { allGroups } from '../../spec/extension.ts';
import type { Group } from '../../spec/vocabulary.ts';
import type { EvidenceView } from '../checks/evidence-view.ts';
import {
  areAlike,
  type Declaration,
  idsOf,
  isForCredential,
  modelFacts,
  repliedIn,
  type Seen,
  sentIn,
  showsToken,
  statusOf,
  type TokenFact,
  tokenFacts,
} from './replies.ts';
import { matrixCell } from '../../spec/matrix.ts';
import { type TokenName, tokenNames } from '../../fixtures/target/target.ts';
import { isRateLimit } from '../reading/transient.ts';
import { headerOf } from '../reading/headers.ts';
import type { Ending } from '../types/reasons/exchange-reasons.ts';

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
function addressFact(sent: readonly Seen[], view: EvidenceView): AddressFact | undefined {
  const refusedByProxy = sent.filter(({ exchange }) => proxyStatus(exchange.ending) !== undefined);
  const [first] = refusedByProxy;
  const replied = repliedIn(sent);
  const scheme = otherScheme(view);
  if (scheme) return { ...scheme, exchanges: idsOf(sent) };
  if (first !== undefined && replied.length === 0)
    return { fault: faultOf(first), exchanges: idsOf(refusedByProxy) };
  return alike(replied);
}

/** What the interface states of one group alone (2.2, 5). */
function isOfGroupAlone({ request: { callers, protocol, expect, stream } }: Seen, group: Group): boolean {
  const [caller] = callers;
  if (expect !== 'answer' || stream || callers.length !== 1 || caller?.group !== group) return false;
  const cell = matrixCell({ family: caller.family, protocol, group, stream });
  return cell?.expectation === 'served' && cell.anyGroup !== true;
}

type TwoTokens = readonly [TokenName, TokenName];

const inOrder = ([one, other]: TwoTokens): TwoTokens =>
  tokenNames().indexOf(one) < tokenNames().indexOf(other) ? [one, other] : [other, one];

const isSameAsked = (one: Seen, other: Seen): boolean =>
  one.request.protocol === other.request.protocol &&
  one.exchange.request.body === other.exchange.request.body;

/** The declared tokens that are exchanged: what is stated of the group of one alone is refused with it and answered with the other. */
function exchangedTokens(replied: readonly Seen[], { tokens }: Declaration, facts: readonly TokenFact[]) {
  const unknown = new Set(
    facts.filter(({ knowledge }) => knowledge === 'unknown').flatMap(({ names }) => names),
  );
  const ofName =
    (name: TokenName) =>
    (seen: Seen): boolean =>
      seen.request.credential.form !== 'near-miss' &&
      showsToken(seen.exchange.request.headers, tokens[name]?.variable ?? ' ');
  const declared = allGroups().filter((group) => tokens[group] !== undefined && !unknown.has(group));
  const stated = new Map(
    declared.map((group) => [
      group,
      replied.filter((seen) => isOfGroupAlone(seen, group) && ofName(group)(seen)),
    ]),
  );
  const isServed = (group: Group): boolean =>
    (stated.get(group) ?? []).some(({ kind }) => kind === 'answered');
  const answersInstead = (group: Group, name: TokenName): readonly Seen[] =>
    replied.filter(
      (seen) =>
        seen.kind === 'answered' &&
        ofName(name)(seen) &&
        (stated.get(group) ?? []).some((own) => isSameAsked(own, seen)),
    );
  const ofGroups = declared.flatMap((group) =>
    isServed(group)
      ? []
      : declared
          .filter((other) => tokens[other]?.variable !== tokens[group]?.variable && !isServed(other))
          .map((other) => ({
            names: [group, other] as const,
            seen: [...(stated.get(group) ?? []), ...answersInstead(group, other)],
            answers: answersInstead(group, other).length,
          })),
  );
  return [
    ...ofGroups.filter(({ answers }) => answers > 0),
    ...spentExchanged(replied, declared, facts, ofName),
  ]
    .map(({ names, seen }) => ({ names: inOrder(names), exchanges: idsOf(seen) }))
    .filter(({ names }, at, all) => all.findIndex((other) => other.names.join() === names.join()) === at);
}

/** Every reply to the token of a group is a limit, and none to the spent one, which the target knows. */
function spentExchanged(
  replied: readonly Seen[],
  declared: readonly Group[],
  facts: readonly TokenFact[],
  ofName: (name: TokenName) => (seen: Seen) => boolean,
) {
  const spent = replied.filter(ofName('rate-limited'));
  const isKnown = facts.some(
    ({ names, knowledge }) =>
      names.includes('rate-limited') && (knowledge === 'accepted' || knowledge === 'known'),
  );
  if (!isKnown || spent.some(({ exchange }) => isRateLimit(exchange))) return [];
  return declared.flatMap((group) => {
    // What is wrong may be refused before a limit is looked at.
    const own = replied.filter(
      (seen) =>
        ofName(group)(seen) && (seen.request.expect === 'answer' || seen.request.stage === 'declared'),
    );
    return own.length > 0 && own.every(({ exchange }) => isRateLimit(exchange))
      ? [{ names: [group, 'rate-limited'] as const, seen: [...own, ...spent] }]
      : [];
  });
}

/** What the recorded exchanges show of what is declared (principle 17). */
export type DeclarationFacts = ReturnType<typeof declarationFacts>;

export function declarationFacts(view: EvidenceView, target: Declaration) {
  const sent = sentIn(view);
  const address = addressFact(sent, view);
  const replied = address ? [] : repliedIn(sent);
  const tokens = tokenFacts(replied, view, target);
  return {
    /** What is wrong with the address; where anything is, the rest is not asked about. */
    address,
    tokens,
    exchanged: exchangedTokens(replied, target, tokens),
    same: sameTokens(replied, target, tokens),
    models: modelFacts(replied, view, target, tokens),
  };
}

/** A token belongs to one group (2.1): which of those that it is declared for, nobody can tell by a refusal. */
const sameTokens = (replied: readonly Seen[], { tokens }: Declaration, facts: readonly TokenFact[]) =>
  facts.flatMap(({ variable, knowledge }) => {
    const names = allGroups().filter((group) => tokens[group]?.variable === variable);
    const refused = names.flatMap((group) => {
      const own = replied.filter((seen) => isOfGroupAlone(seen, group));
      return own.every(({ kind }) => kind === 'refused') ? own : [];
    });
    const isMistake = names.length > 1 && refused.length > 0 && knowledge !== 'unknown';
    return isMistake ? [{ names, variable, exchanges: idsOf(refused) }] : [];
  });
