import { modelSent } from '../../reading/reply-words.ts';
import { isRateLimit } from '../../reading/transient.ts';
import { declaredModels } from '../../types/scope.ts';
import type { JudgedTarget } from '../judge-run.ts';
import type { Mistake } from './mistake.ts';
import { hasWords, idsOf, type Invented, isValid, type Seen, wordsIn } from './received-replies.ts';

/** Models that are refused wherever they are called, in the words that an invented one gets. */
export function unknownModels(
  seen: readonly Seen[],
  target: JudgedTarget,
  invented: Invented,
): readonly Mistake[] {
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
