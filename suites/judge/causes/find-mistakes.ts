import type { EvidenceView } from '../../checks/evidence-view.ts';
import { modelSent, replyWords } from '../../reading/reply-words.ts';
import { isRateLimit } from '../../reading/transient.ts';
import type { Exchange } from '../../types/exchange.ts';
import type { JudgedTarget } from '../judge-run.ts';
import type { Mistake } from './mistake.ts';
import {
  areAlike,
  idsOf,
  inventedIn,
  isForCredential,
  type Seen,
  seenIn,
  showsToken,
} from './received-replies.ts';
import { unknownModels } from './unknown-models.ts';
import { unknownTokens } from './unknown-tokens.ts';

function isJson({ exchange }: Seen): boolean {
  try {
    return typeof JSON.parse(exchange.response?.body.text ?? '') === 'object';
  } catch {
    return false;
  }
}

/** Every path answers alike, whatever is asked: a web page, a proxy, another port. */
function baseAddress(seen: readonly Seen[]): Mistake | undefined {
  const [first] = seen;
  if (first === undefined || !areAlike(seen) || isForCredential(first) || isRateLimit(first.exchange))
    return undefined;
  const paths = new Set(seen.map(({ request }) => request.path));
  // One path alone may be absent; that of a gateway speaks JSON.
  return paths.size > 1 || !isJson(first) ? { kind: 'base-address', exchanges: idsOf(seen) } : undefined;
}

/** What of the declaration is wrong, as far as the recorded exchanges show it. Pure. */
export function mistakesIn(view: EvidenceView, target: JudgedTarget): readonly Mistake[] {
  const seen = seenIn(view);
  const address = baseAddress(seen);
  const invented = inventedIn(seen);
  return address
    ? [address]
    : [...unknownTokens(seen, target, invented), ...unknownModels(seen, target, invented)];
}

/** The mistake that the reply of an exchange is for; undefined where it is for none. */
export function mistakeBehind(mistakes: readonly Mistake[], exchange: Exchange): Mistake | undefined {
  if (mistakes.length === 0) return undefined;
  const words = replyWords(exchange);
  const model = modelSent(exchange) ?? '';
  return mistakes.find((mistake) => {
    if (mistake.kind === 'base-address') return true;
    if (!mistake.replies.has(words)) return false;
    return mistake.kind === 'token-not-accepted'
      ? showsToken(exchange.request.headers, mistake.variable)
      : mistake.models.has(model);
  });
}
