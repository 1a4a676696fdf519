import { valueAt } from '../../reading/json.ts';
import { documentOf, type EvidenceView, type State } from '../evidence-view.ts';
import { describeState, describeValue } from './findings.ts';

/** The elements of `data` of an answer; undefined where there is no such list. */
export function imagesOf(state: State): readonly unknown[] | undefined {
  const data = valueAt(documentOf(state), '/data');
  return Array.isArray(data) ? data : undefined;
}

/** The images of each request that has some, and in words why the first of the others has none. */
export function imagesOfEach(view: EvidenceView, probes: readonly string[]) {
  const states = probes.map((exchange) => ({ exchange, state: view.state(exchange) }));
  const shown = states.flatMap(({ exchange, state }) => {
    const images = imagesOf(state);
    return images === undefined ? [] : [{ exchange, images }];
  });
  const others = states.filter(({ state }) => imagesOf(state) === undefined);
  const without = others.find(({ state }) => state.exchange !== undefined) ?? others[0];
  if (without === undefined) return { shown, reason: '' };
  const json = documentOf(without.state);
  const data = json === undefined ? undefined : `data is ${describeValue(valueAt(json, '/data'))}`;
  return { shown, reason: data ?? describeState(without.state) };
}
