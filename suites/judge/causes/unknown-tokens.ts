import { groups, type Protocol, protocols } from '../../../spec/vocabulary.ts';
import { isRateLimit } from '../../reading/transient.ts';
import type { JudgedTarget } from '../judge-run.ts';
import type { Mistake } from './mistake.ts';
import {
  areAlike,
  hasWords,
  idsOf,
  type Invented,
  isForCredential,
  isValid,
  type Seen,
  showsToken,
  wordsIn,
} from './received-replies.ts';

/** Whether the reply of a path is for the token, and not what everything gets there. */
function isAboutToken(use: Seen, telling: readonly Protocol[], invented: Invented): boolean {
  return isForCredential(use) || telling.some((protocol) => hasWords(invented.tokens(protocol), use.words));
}

/** Tokens that are refused wherever they are used, in the words that an invented one gets. */
export function unknownTokens(
  seen: readonly Seen[],
  target: JudgedTarget,
  invented: Invented,
): readonly Mistake[] {
  const telling = protocols.filter(
    (protocol) => !areAlike(seen.filter(({ request }) => request.protocol === protocol)),
  );
  const variables = new Set(groups.flatMap((name) => target.tokens[name]?.variable ?? []));
  return [...variables].flatMap((variable): readonly Mistake[] => {
    const own = seen.filter(
      ({ request, exchange }) =>
        request.credential.form !== 'near-miss' && showsToken(exchange.request.headers, variable),
    );
    if (own.some(({ kind }) => kind === 'answered')) return [];
    const uses = own.filter(
      ({ request, exchange }) =>
        isValid(request) &&
        request.credential.form === 'right' &&
        !isRateLimit(exchange) &&
        invented.tokens(request.protocol).length > 0,
    );
    const isLikeInvented = ({ request, words }: Seen): boolean =>
      hasWords(invented.tokens(request.protocol), words);
    const told = uses
      .filter((use) => isAboutToken(use, telling, invented))
      .sort((one, other) => Number(isForCredential(other)) - Number(isForCredential(one)));
    if (!uses.every(isLikeInvented) || told.length === 0) return [];
    const names = groups.filter((name) => target.tokens[name]?.variable === variable);
    return [{ kind: 'token-not-accepted', names, variable, replies: wordsIn(told), exchanges: idsOf(told) }];
  });
}
