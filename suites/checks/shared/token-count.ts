import { valueAt } from '../../reading/json.ts';
import type { ReplyReading } from '../../reading/reply-reading.ts';

/** A token is hardly ever more than a word, and in running text never this many characters. */
const longest = (limit: number) => ({ words: 2 * limit + 3, characters: 20 * limit + 20 });

/** Whether a text is far longer than so many tokens could be. */
export const isBeyond = (text: string, limit: number): boolean => {
  const bound = longest(limit);
  return text.length > bound.characters || text.split(/\s+/).filter(Boolean).length > bound.words;
};

/**
 * The `usage.completion_tokens` of a chat completion (2.5), without what the usage says was thought and not said:
 * what is limited and seen is the output. Undefined where there is no such count.
 */
export function completionTokens(reading: ReplyReading): number | undefined {
  if (reading.kind !== 'result') return undefined;
  const count = valueAt(reading.json, '/usage/completion_tokens');
  const thought = valueAt(reading.json, '/usage/completion_tokens_details/reasoning_tokens');
  if (!Number.isInteger(count)) return undefined;
  return Number(count) - (Number.isInteger(thought) ? Math.max(0, Number(thought)) : 0);
}
