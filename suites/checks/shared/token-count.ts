import { valueAt } from '../../reading/json.ts';
import type { ReplyReading } from '../../reading/reply-reading.ts';
import type { Protocol } from '../../../spec/vocabulary.ts';
import { refusedText } from '../../facts/refused-texts.ts';
import type { OutcomeWithReason } from '../../types/finding.ts';
import type { EvidenceView } from '../evidence-view.ts';
import { describeFirst, dependsOnModel, unsaid } from './findings.ts';

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

/**
 * Long prompts are refused for their length or for a word of theirs: neither the most that the target takes is shown, nor
 * what its filters let through (8.4). Undefined where no control shows it.
 * @param long every request with the long prompt, with a stream and without
 */
export function longRefused(
  view: EvidenceView,
  protocol: Protocol,
  long: readonly string[],
): OutcomeWithReason | undefined {
  const found = long.length === 0 ? undefined : refusedText(view, protocol, long);
  if (found === undefined) return undefined;
  const { by: _, ...figures } = found;
  const reason =
    'word' in figures
      ? ({ kind: 'word-refused', ...figures } as const)
      : ({ kind: 'long-prompt-refused', ...figures } as const);
  return dependsOnModel(reason, unsaid(long), describeFirst(view, long));
}
