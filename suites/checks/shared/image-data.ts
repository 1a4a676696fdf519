import type { EvidenceView } from '../evidence-view.ts';
import { describeState, describeValue } from './describe.ts';

/** The elements of `data` of an image result, or in words why there are none to judge. */
export function imageData(view: EvidenceView, probe: string): readonly unknown[] | string {
  const state = view.state(probe);
  if (state.kind !== 'answered' || state.reading.kind !== 'result') return describeState(state);
  const data = (state.reading.json as { data?: unknown } | null)?.data;
  return Array.isArray(data) ? data : `data is ${describeValue(data)}`;
}
