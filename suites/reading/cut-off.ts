import type { ReplyReading } from './reply-reading.ts';
import { valueAt } from './json.ts';

/** Where a reply says why it ended, and what it says there of one that was cut off at its limit. */
const signs: readonly (readonly [pointer: string, value: string])[] = [
  ['/choices/0/finish_reason', 'length'],
  ['/stop_reason', 'max_tokens'],
  ['/delta/stop_reason', 'max_tokens'],
  ['/status', 'incomplete'],
  ['/response/status', 'incomplete'],
];

/** Whether a reply says, as is usual, that its limit cut it off: which values there are beside `stop` is not shown (2.5). */
export function saysCutOff(reading: ReplyReading): boolean {
  const documents =
    reading.kind === 'result'
      ? [reading.json]
      : reading.kind === 'stream'
        ? reading.stream.events.map(({ data }) => data)
        : [];
  return documents.some((data) => signs.some(([pointer, value]) => valueAt(data, pointer) === value));
}
