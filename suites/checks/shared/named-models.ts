import { bodyOf } from '../../reading/sent-body.ts';
import type { Exchange } from '../../types/exchange.ts';
import type { EvidenceView } from '../evidence-view.ts';

/** The model that a request names; undefined where it names none. */
function modelOf({ request }: Exchange): string | undefined {
  const model = bodyOf(request)?.model;
  return typeof model === 'string' ? model : undefined;
}

/** Whether a text has a name that is no part of a longer one. */
const names = (text: string, name: string): boolean =>
  new RegExp(`(?<![\\w.-])${name.replace(/[^\w]/g, '\\$&')}(?![\\w-])`).test(text);

/**
 * The other model that a refusal names, where it names no model that is answered on its endpoint, nor the one that was
 * asked for: it was passed on to that one, and shows nothing of the one asked for.
 */
export function otherModelNamed(view: EvidenceView, refusal: Exchange): string | undefined {
  const [sent, text] = [modelOf(refusal), refusal.response?.body.text ?? ''];
  if (sent === undefined || sent === '' || names(text, sent)) return undefined;
  const known = view.plan.requests
    .filter(({ stage }) => stage === 'discovery')
    .flatMap(({ id }) => {
      const { kind, exchange } = view.state(id);
      const model = exchange && modelOf(exchange);
      if (!exchange || !model || model === sent || !names(text, model)) return [];
      return [{ model, isHere: kind === 'answered' && exchange.request.url === refusal.request.url }];
    });
  return known.some(({ isHere }) => isHere) ? undefined : known[0]?.model;
}
