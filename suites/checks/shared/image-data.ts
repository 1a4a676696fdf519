import { valueAt } from '../../reading/json.ts';
import { documentOf, type EvidenceView, type State } from '../evidence-view.ts';
import { describeState, describeValue } from './describe.ts';

/** The elements of `data` of an answer; undefined where there is no such list. */
export function imagesOf(state: State): readonly unknown[] | undefined {
  const data = valueAt(documentOf(state), '/data');
  return Array.isArray(data) ? data : undefined;
}

/** The elements of `data` of an image result, or in words why there are none to judge. */
export function imageData(view: EvidenceView, probe: string): readonly unknown[] | string {
  const state = view.state(probe);
  const json = documentOf(state);
  if (json === undefined) return describeState(state);
  return imagesOf(state) ?? `data is ${describeValue(valueAt(json, '/data'))}`;
}
