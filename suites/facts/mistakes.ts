import type { TokenName } from '../../fixtures/target/target.ts';
import type { EvidenceView } from '../checks/evidence-view.ts';
import { modelSent, replyWords } from '../reading/reply-words.ts';
import type { Exchange } from '../types/exchange.ts';
import { type Declaration, showsToken } from './replies.ts';
import { type AddressFault, type DeclarationFacts, declarationFacts } from './facts.ts';
import type { Knowledge, ReportDeclared } from '../types/declared.ts';

type TokenMistake = 'token-not-accepted' | 'tokens-exchanged' | 'same-token' | 'token-not-told';

/** Tokens, by the variables that stand for them, and the replies that are for the mistake and for nothing else. */
interface OfTokens {
  readonly names: readonly TokenName[];
  readonly variables: readonly string[];
  readonly replies: ReadonlySet<string>;
}

interface OfModels {
  readonly keys: readonly string[];
  /** One of a family, or all those behind the first that are alike. */
  readonly models: ReadonlySet<string>;
  /** Another model gets another reply in the same place. */
  readonly isToldApart: boolean;
  readonly replies: ReadonlySet<string>;
}

/** Something of the declaration that is wrong, or (`not-told`) not shown to be right: no failure of the target (principle 18). */
export type Mistake = { readonly exchanges: readonly string[] } & (
  | { readonly kind: 'base-address'; readonly fault: AddressFault }
  | ({ readonly kind: TokenMistake } & OfTokens)
  | ({ readonly kind: 'model-not-known' | 'model-not-told' } & OfModels)
);

/** Whether the first replies are enough to stop a run: where one model alone is called, it may not be what is refused. */
export const isShownEarly = (mistake: Mistake): boolean =>
  isCertain(mistake) && (!('models' in mistake) || mistake.isToldApart);

/** Whether the declaration is wrong beyond doubt. */
export const isCertain = ({ kind }: Mistake): boolean =>
  kind !== 'token-not-told' && kind !== 'model-not-told';

export function configKeysOf(mistake: Mistake): readonly string[] {
  if (mistake.kind === 'base-address') return ['target.baseUrl'];
  return 'names' in mistake ? mistake.names.map((name) => `tokens.${name}`) : mistake.keys;
}

/** What of the declaration is wrong, or can't be told to be right: all of it, the address first. */
export function mistakesOf(facts: DeclarationFacts, target: Declaration): readonly Mistake[] {
  const { address } = facts;
  if (address) return [{ kind: 'base-address', ...address }];
  const mistakes = [...ofTokens(facts, target), ...ofModels(facts, target)];
  return [...mistakes.filter(isCertain), ...mistakes.filter((mistake) => !isCertain(mistake))];
}

const kindsOfTokens = { unknown: 'token-not-accepted', alike: 'token-not-told' } as const;

/** Whatever a token of another group gets may be for that: no words tell it. */
const noReplies: ReadonlySet<string> = new Set();

const ofTokens = ({ tokens, exchanged, same }: DeclarationFacts, target: Declaration): readonly Mistake[] => [
  ...tokens.flatMap(({ knowledge, variable, ...fact }) =>
    knowledge === 'unknown' || knowledge === 'alike'
      ? [{ ...fact, kind: kindsOfTokens[knowledge], variables: [variable] }]
      : [],
  ),
  ...exchanged.map(({ names, exchanges }) => {
    const variables = names.flatMap((name) => target.tokens[name]?.variable ?? []);
    return { kind: 'tokens-exchanged', names, variables, replies: noReplies, exchanges } as const;
  }),
  ...same.map(({ variable, ...fact }) => {
    return { kind: 'same-token', ...fact, variables: [variable], replies: noReplies } as const;
  }),
];

const kindsOfModels = { unknown: 'model-not-known', alike: 'model-not-told' } as const;

/** Requirements are the same for all models behind the first of their family: they have one mistake. */
function ofModels({ models }: DeclarationFacts, target: Declaration): readonly Mistake[] {
  const isFirst = ({ name }: { readonly name: string }): boolean =>
    Object.values(target.models).includes(name);
  const ofKnowledge = (knowledge: Knowledge & keyof typeof kindsOfModels): readonly Mistake[] => {
    const those = models.filter((model) => model.knowledge === knowledge);
    const groups = [...those.filter(isFirst).map((one) => [one]), those.filter((one) => !isFirst(one))];
    return groups
      .filter(({ length }) => length > 0)
      .map((group) => ({
        kind: kindsOfModels[knowledge],
        keys: group.flatMap(({ keys }) => keys),
        models: new Set(group.map(({ name }) => name)),
        isToldApart: group.every((model) => model.isToldApart),
        replies: new Set(group.flatMap(({ replies }) => [...replies])),
        exchanges: group.flatMap(({ exchanges }) => exchanges),
      }));
  };
  return [...ofKnowledge('unknown'), ...ofKnowledge('alike')];
}

export const declaredOf = ({ tokens, models }: DeclarationFacts): readonly ReportDeclared[] => [
  ...tokens.map(({ names, knowledge, exchanges }) => ({
    keys: names.map((name) => `tokens.${name}`),
    kind: 'token' as const,
    knowledge,
    exchanges,
  })),
  ...models.map(({ keys, knowledge, exchanges }) => ({ keys, kind: 'model' as const, knowledge, exchanges })),
];

/** What of the declaration is wrong, as far as the recorded exchanges show it. Pure. */
export const mistakesIn = (view: EvidenceView, target: Declaration): readonly Mistake[] =>
  mistakesOf(declarationFacts(view, target), target);

/** Whether a token is not of the group that it is declared for: whatever it gets shows nothing of that group. */
export const isOfOtherGroup = ({ kind }: Mistake): boolean =>
  kind === 'tokens-exchanged' || kind === 'same-token';

export function shows(mistake: Mistake, { request }: Pick<Exchange, 'request'>): boolean {
  if (mistake.kind === 'base-address') return true;
  return 'models' in mistake
    ? mistake.models.has(modelSent({ request }) ?? '')
    : mistake.variables.some((variable) => showsToken(request.headers, variable));
}

/** The mistake that the reply of an exchange is for; undefined where it is for none. */
export function mistakeBehind(mistakes: readonly Mistake[], exchange: Exchange): Mistake | undefined {
  const certain = mistakes.filter(isCertain);
  if (certain.length === 0) return undefined;
  const words = replyWords(exchange);
  return certain.find(
    (mistake) =>
      shows(mistake, exchange) &&
      (mistake.kind === 'base-address' || isOfOtherGroup(mistake) || mistake.replies.has(words)),
  );
}
