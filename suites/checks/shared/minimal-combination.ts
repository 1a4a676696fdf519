import { partId } from '../../types/combination-parts.ts';
import type { EvidenceView } from '../evidence-view.ts';

/** How far a refused combination is taken apart (delta debugging: each setting is left out in turn). */
export type Reduction =
  /** No setting can be left out without an answer. */
  | { readonly kind: 'minimal'; readonly factors: readonly string[] }
  /** Whether this part is refused is to be asked next. */
  | { readonly kind: 'ask'; readonly factors: readonly string[] }
  /** A part got no reply that can be judged. */
  | { readonly kind: 'unclear'; readonly exchange: string };

/** The smallest part of a refused combination that is refused as well, as far as it is recorded. Pure. */
export function reductionOf(view: EvidenceView, id: string): Reduction {
  const settings = view.request(id)?.combination?.settings ?? [];
  let kept: readonly string[] = settings.map(({ factor }) => factor);
  let unclear: string | undefined;
  for (const { factor } of settings) {
    const rest = kept.filter((other) => other !== factor);
    const part = partId(id, rest);
    const state = view.state(part);
    if (state.kind === 'unclear' && state.exchange === undefined)
      return state.why.kind === 'not-sent'
        ? { kind: 'unclear', exchange: part }
        : { kind: 'ask', factors: rest };
    if (state.kind === 'refused') kept = rest;
    if (state.kind === 'unclear') unclear = part;
  }
  return unclear === undefined ? { kind: 'minimal', factors: kept } : { kind: 'unclear', exchange: unclear };
}
