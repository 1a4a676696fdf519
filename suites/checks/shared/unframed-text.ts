import { areEventsUnspecified } from '../../../spec/vocabulary.ts';
import type { EvidenceView } from '../evidence-view.ts';

/** Text where a stream was asked for: on Messages neither its events nor its framing are shown (4.2, 6). */
export function isBareText(view: EvidenceView, id: string): boolean {
  const state = view.state(id);
  const request = view.request(id);
  return (
    request?.stream === true &&
    areEventsUnspecified(request.protocol) &&
    state.kind === 'refused' &&
    (state.reading.form === 'text' || typeof state.reading.json === 'string') &&
    (state.exchange.response?.status ?? 0) < 300
  );
}
