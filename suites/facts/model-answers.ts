import type { Protocol } from '../../spec/vocabulary.ts';
import { type EvidenceView, requestAt, textOf } from '../checks/evidence-view.ts';
import { modelSent } from '../reading/reply-words.ts';
import type { AskedText } from '../types/finding.ts';
import { numbered, timesIn } from '../types/numbered.ts';
import { isBesides } from '../types/text-differences.ts';
import { differencesOf } from './text-differences.ts';

/** Whether a model does as it is told: which replies to requests for a text hold it, and which do not. */
export interface ModelAnswers {
  readonly protocol: Protocol;
  /** As it was sent. */
  readonly model: string;
  readonly said: readonly string[];
  readonly unsaid: readonly string[];
}

/** What of these exchanges asked for a text, by endpoint and model. Each exchange counts once. */
export function modelAnswers(view: EvidenceView, asked: readonly AskedText[]): readonly ModelAnswers[] {
  const found = new Map<string, ModelAnswers>();
  for (const [id, isSaid] of new Map(asked.map((one) => [one.exchange, one.isSaid]))) {
    const { exchange } = view.state(id);
    const [protocol, model] = [requestAt(view, id)?.protocol, exchange && modelSent(exchange)];
    if (exchange === undefined || protocol === undefined || model === undefined) continue;
    const key = JSON.stringify([protocol, model]);
    const { said, unsaid } = found.get(key) ?? { said: [], unsaid: [] };
    found.set(key, {
      ...{ protocol, model },
      said: isSaid ? [...said, exchange.id] : said,
      unsaid: isSaid ? unsaid : [...unsaid, exchange.id],
    });
  }
  return [...found.values()];
}

/** Those of these requests that ask for a known text and were answered, each with whether its text has all of it. */
export const askedTexts = (view: EvidenceView, ids: readonly string[]): readonly AskedText[] =>
  ids.flatMap((id) => {
    const [request, state] = [requestAt(view, id), view.state(id)];
    if (!request?.says || state.kind !== 'answered') return [];
    const { protocol, says } = request;
    const [text, body] = [textOf(state, protocol), state.exchange.request.body ?? ''];
    const isWhole = (asked: string): boolean =>
      [...differencesOf(numbered(asked, timesIn(body, says)), text, body)].every(isBesides);
    return [{ exchange: id, isSaid: says.every(isWhole) }];
  });
