import type { Failure } from '../../types/finding.ts';
import { takenOver } from '../../types/plan.ts';
import type { ReplyRef } from '../../types/separation.ts';
import { bodyOf } from '../../reading/sent-request.ts';
import type { EvidenceView, State } from '../evidence-view.ts';
import { type Aspect, isFailure } from './findings.ts';

export interface JudgedReply extends ReplyRef {
  readonly aspect: Aspect;
}

export const lastOf = ({ exchange }: State, id: string): ReplyRef => ({
  id: exchange?.id ?? id,
  attempt: Math.max(0, (exchange?.attempts.length ?? 0) - 1),
});

export const replyOf = (view: EvidenceView, id: string, aspect: Aspect): JudgedReply => ({
  ...lastOf(view.state(id), id),
  aspect,
});

/** What of a reason is about one reply. */
const ofOne: ReadonlySet<string> = new Set(['text', 'nonce', 'inStream']);

/** Alike for failures of the same kind at the same place, whatever was said there. */
export const wayOf = ({ reason, pointer = '' }: Failure): string =>
  JSON.stringify([reason, reason.kind === 'field-missing' && pointer], (name, value: unknown) =>
    ofOne.has(name) ? null : value,
  ).replace(/\d+/g, '0');

/** What a request has more than the least: a chain behind it, a stream, parameters and headers, its length. */
function sizeOf(view: EvidenceView, id: string): readonly number[] {
  const { exchange } = view.state(id);
  const planned = exchange && view.requestOf(exchange);
  if (!exchange || !planned) return [Number.POSITIVE_INFINITY];
  const { request } = exchange;
  return [
    takenOver(planned).length,
    Number(planned.stream),
    Object.keys(bodyOf(request) ?? {}).length + Object.keys(request.headers).length,
    request.body?.length ?? 0,
  ];
}

/** Of exchanges the one whose request is the shortest; of those alike the first. */
export function shortestOf<Of extends { readonly id: string }>(
  view: EvidenceView,
  those: readonly Of[],
): Of | undefined {
  const [first] = those
    .map((one) => ({ one, size: sizeOf(view, one.id) }))
    .sort((one, other) => {
      const at = one.size.findIndex((each, place) => each !== other.size[place]);
      return at < 0 ? 0 : (one.size[at] ?? 0) - (other.size[at] ?? 0);
    });
  return first?.one;
}

/** The kind of failure that most replies show, by the shortest request that got it. Undefined where none fails. */
export function failureIn(view: EvidenceView, replies: readonly JudgedReply[]): Failure | undefined {
  const judged = replies.filter(({ aspect }) => aspect !== undefined);
  const ways = new Map<string, (ReplyRef & { readonly failure: Failure })[]>();
  for (const { id, attempt, aspect } of judged) {
    if (!isFailure(aspect)) continue;
    const way = wayOf(aspect);
    ways.set(way, [...(ways.get(way) ?? []), { id, attempt, failure: aspect }]);
  }
  const [most] = [...ways.values()].sort((one, other) => other.length - one.length);
  const shown = most && shortestOf(view, most);
  if (!most || !shown) return undefined;
  const refOf = ({ id, attempt }: ReplyRef): ReplyRef => ({ id, attempt });
  const shows = new Set(most.map(({ id, attempt }) => `${id} ${attempt}`));
  const kept = judged.filter(({ id, attempt }) => !shows.has(`${id} ${attempt}`));
  return {
    ...shown.failure,
    exchange: shown.id,
    replies: { broken: most.map(refOf), kept: kept.map(refOf) },
  };
}
