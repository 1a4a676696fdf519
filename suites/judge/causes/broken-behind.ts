import { readsIn } from '../../checks/registry.ts';
import type { Fact } from '../../facts/fact.ts';
import type { Attributed, Deciding } from './attribution.ts';

/** Whether a failure is that no result came, but a stream that nobody asked for. */
const isStreamInPlace = (fact: Fact | undefined): boolean =>
  fact?.kind === 'requirement-broken' && fact.reason.kind === 'unrequested-stream';

/**
 * The failure of replies for which something could not be decided: a stream came in place of the result that would show
 * it, or the reply lacks the id that the next request takes over, as the same failure says. Undefined where nothing is
 * behind it but what is told otherwise.
 * @param brokenAt the failure that the reply of an exchange shows
 */
export function brokenBehind(
  deciding: readonly Deciding[],
  { view, viewOf }: Pick<Attributed, 'view' | 'viewOf'>,
  brokenAt: (exchange: string) => Fact | undefined,
): Fact | undefined {
  for (const { entry, finding } of deciding) {
    if (finding.verdict !== 'inconclusive') continue;
    const reads = readsIn(entry.check, viewOf(entry).plan);
    const answered = reads.filter((id) => view.kind(id) === 'answered');
    const isWithoutResult = finding.reason.kind === 'no-result-with-field' && answered.length > 0;
    if (isWithoutResult && answered.every((id) => isStreamInPlace(brokenAt(id))))
      return brokenAt(answered[0] ?? '');
    for (const id of reads) {
      const state = view.state(id);
      const unsent = state.kind === 'unclear' && state.why.kind === 'not-sent' ? state.why.unsent : undefined;
      const fact = unsent?.kind === 'reply-lacks' ? brokenAt(unsent.exchange) : undefined;
      if (fact && unsent?.kind === 'reply-lacks' && lacks(fact, unsent.pointer)) return fact;
    }
  }
  return undefined;
}

/** Whether a failure tells that a reply has no string at a place: it is no result, or lacks the field. */
const lacks = (fact: Fact, pointer: string): boolean =>
  isStreamInPlace(fact) || (fact.kind === 'result-field-broken' && fact.pointer === pointer);
