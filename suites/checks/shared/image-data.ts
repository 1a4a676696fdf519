import { valueAt } from '../../reading/json.ts';
import type { EvidenceView } from '../evidence-view.ts';
import { describeState, describeValue } from './describe.ts';

/** The elements of `data` of an image result, or in words why there are none to judge. */
export function imageData(view: EvidenceView, probe: string): readonly unknown[] | string {
  const state = view.state(probe);
  if (state.kind !== 'answered' || state.reading.kind !== 'result') return describeState(state);
  const data = valueAt(state.reading.json, '/data');
  return Array.isArray(data) ? data : `data is ${describeValue(data)}`;
}
