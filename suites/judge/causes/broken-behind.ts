import { readsIn } from '../../checks/registry.ts';
import type { Fact } from '../../facts/fact.ts';
import type { Failure } from '../../types/finding.ts';
import type { Reason } from '../../types/reasons/index.ts';
import type { Attributed, Deciding } from './attributed.ts';

type InPlace = Failure['reason']['kind'] & ('unrequested-stream' | 'no-stream');

/** Whether a failure is that a stream came in place of a result, or a result in place of a stream. */
const isInPlace = (fact: Fact | undefined, kind: InPlace): boolean =>
  fact?.kind === 'requirement-broken' && fact.reason.kind === kind;

/** What came in place of all that would show it, by the reason that nothing did. */
const inPlaceOf: Readonly<Partial<Record<Reason['kind'], InPlace>>> = {
  'no-result-with-field': 'unrequested-stream',
  'no-stream-shows-it': 'no-stream',
  'no-stream-with-text': 'no-stream',
};

/**
 * The failure of replies for which something could not be decided: a stream came in place of the result that would show
 * it, or a result in place of a stream, or the reply lacks the id that the next request takes over, as the same failure
 * says. Undefined where nothing is behind it but what is told otherwise.
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
    const instead = inPlaceOf[finding.reason.kind];
    // What is read beside streams only tells how fast a reply is.
    const shows = reads.filter((id) => instead !== 'no-stream' || view.request(id)?.stream);
    const answered = shows.flatMap((id) =>
      view.kind(id) === 'answered' ? (view.state(id).exchange?.id ?? []) : [],
    );
    if (instead && answered.length > 0 && answered.every((id) => isInPlace(brokenAt(id), instead)))
      return brokenAt(answered[0] ?? '');
    // What models answered decided it, and not what was not sent.
    if (finding.nonGating === 'model-behaviour') continue;
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
  isInPlace(fact, 'unrequested-stream') || (fact.kind === 'result-field-broken' && fact.pointer === pointer);
