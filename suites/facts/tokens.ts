import { tokenNames } from '../../fixtures/target/target.ts';
import type { EvidenceView } from '../checks/evidence-view.ts';
import type { Knowledge } from '../types/declared.ts';
import { isRateLimit } from '../reading/transient.ts';
import {
  comparedIn,
  type Declaration,
  idsOf,
  isForCredential,
  isToldApart,
  type Known,
  type Seen,
  showsToken,
  type Told,
  toldOfTokens,
  wordsIn,
  toldOfModels,
} from './replies.ts';
import { groupBy } from '../../spec/group-by.ts';
import { modelSent } from '../reading/reply-words.ts';
import { declaredModels } from '../types/scope.ts';

export type ModelFact = ReturnType<typeof modelFacts>[number];

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
  const shown = (knowledge: Knowledge, by: readonly Seen[]) => ({
    knowledge,
    /** Where it is not known: another model gets another reply in the same place, so that the reply is for the model. */
    isToldApart: alike.some(isApart),
    replies: wordsIn(alike),
    exchanges: idsOf(by),
  });
  const answered = own.filter(({ kind }) => kind === 'answered');
  if (answered.length > 0) return shown('accepted', answered);
  if (compared.length === 0) return shown('not-compared', own);
  const others = compared.filter((seen) => !alike.includes(seen));
  if (others.length > 0) return shown('known', others);
  // A gateway may refuse what a group or an endpoint does not serve as it refuses what it does not know.
  const mustBeServed = alike.filter((seen) => seen.request.expect === 'answer');
  return mustBeServed.length > 0 ? shown('unknown', mustBeServed) : shown('alike', alike);
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

function knowledgeOfToken(variable: string, told: Told): Known {
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
  const shown = (knowledge: Knowledge, by: readonly Seen[]) => ({
    knowledge,
    replies: wordsIn(refused),
    exchanges: idsOf(by),
  });
  const answered = own.filter(({ kind }) => kind === 'answered');
  if (answered.length > 0) return shown('accepted', answered);
  const others = own.filter(
    (seen) => !isAlike(seen) && (compared.includes(seen) || isRateLimit(seen.exchange)),
  );
  if (others.length > 0) return shown('known', others);
  if (compared.length === 0) return shown('not-compared', own);
  return refused.length > 0 ? shown('unknown', refused) : shown('alike', alike);
}
