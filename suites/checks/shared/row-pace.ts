import { isTextProtocol } from '../../../spec/vocabulary.ts';
import { textIncrements } from '../../reading/text.ts';
import { timingOf } from '../../reading/timing.ts';
import type { RowPace } from '../../types/arrival-controls.ts';
import { type EvidenceView, isAnswered, streamOf } from '../evidence-view.ts';
import { plainlySpread } from './arrival.ts';

/** Milliseconds that the text of a row must take at the pace of the long stream to tell anything. */
const tellingFrom = 25;
/** What comes in less than this part of that time may be held back. */
const atOnceBelow = 0.25;
/** What takes at least this part of it comes as it is made. */
const madeFrom = 0.5;

/** The text of a stream: its characters, and the milliseconds from the first of them to the last. */
function paceOf(view: EvidenceView, id: string): { readonly length: number; readonly spanMs: number } {
  const state = view.state(id);
  const protocol = view.request(id)?.protocol;
  const stream = streamOf(state);
  if (!isAnswered(view, id) || state.exchange === undefined || stream === undefined || !protocol)
    return { length: 0, spanMs: 0 };
  const increments = isTextProtocol(protocol) ? textIncrements(stream, protocol) : [];
  const length = increments.reduce((sum, { text }) => sum + text.length, 0);
  return { length, spanMs: timingOf(increments, state.exchange.timing).spanMs };
}

/**
 * Whether the text of a row came at once, where the long stream and another row show that it takes a while. It is short,
 * and other requests were under way: it decides nothing but that a long text is asked for in the same situation.
 */
export function isRowAtOnce(view: EvidenceView, { row, rows, long }: RowPace): boolean {
  const plain = paceOf(view, long);
  if (plain.spanMs < plainlySpread) return false;
  const partOf = (id: string): number | undefined => {
    const { length, spanMs } = paceOf(view, id);
    const expected = (length * plain.spanMs) / plain.length;
    return expected < tellingFrom ? undefined : spanMs / expected;
  };
  const part = partOf(row);
  return part !== undefined && part < atOnceBelow && rows.some((id) => (partOf(id) ?? 0) >= madeFrom);
}
