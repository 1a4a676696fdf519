import { type TokenName, tokenNames } from '../../fixtures/target/target.ts';
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
} from './replies.ts';

export interface TokenFact extends Known {
  readonly names: readonly TokenName[];
  readonly variable: string;
}

export function tokenFacts(
  replied: readonly Seen[],
  view: EvidenceView,
  { tokens }: Declaration,
): readonly TokenFact[] {
  const told = toldOfTokens(replied, view);
  const variables = new Set(tokenNames().flatMap((name) => tokens[name]?.variable ?? []));
  return [...variables].map((variable) => ({
    names: tokenNames().filter((name) => tokens[name]?.variable === variable),
    variable,
    ...knowledgeOf(variable, told),
  }));
}

function knowledgeOf(variable: string, told: Told): Known {
  const isOwn = ({ exchange }: Seen): boolean => showsToken(exchange.request.headers, variable);
  const own = told.replies.filter(isOwn);
  const { compared: all, alike, controls, isAlike } = comparedIn(own, told);
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
    controls: idsOf(controls),
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
