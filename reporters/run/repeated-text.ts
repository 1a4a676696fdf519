import { count, repeatedSentences } from '../../spec/text.ts';

export type Range = readonly [start: number, end: number];

/** A text with ranges of it: what is marked, and what we say ourselves. */
export interface Spans {
  readonly text: string;
  readonly marks: readonly Range[];
  readonly notes: readonly Range[];
}

/** What repeats in fewer characters is shorter than the words that tell of it. */
const shortest = 80;

/** A text in which a sentence or line that follows itself stands once, but where it is marked. In linear time. */
export function withRepeatsCounted(source: string, marks: readonly Range[]): Spans {
  const notes: Range[] = [];
  const moved: { readonly from: number; readonly by: number }[] = [];
  let [text, at] = ['', 0];
  for (const { sentence, times } of repeatedSentences(source)) {
    const [from, to] = [at + sentence.length, at + sentence.length * times];
    const isTold = to - from >= shortest && !marks.some(([start, end]) => start < to && from < end);
    const again = isTold
      ? `⋯ the same ${count(sentence.length, 'character')} ${times - 1} more times ⋯`
      : source.slice(from, to);
    text += sentence;
    if (isTold) {
      notes.push([text.length, text.length + again.length]);
      moved.push({ from: to, by: again.length - (to - from) });
    }
    text += again;
    at = to;
  }
  const place = (of: number): number =>
    moved.reduce((sum, { from, by }) => (from <= of ? sum + by : sum), of);
  return { text, marks: marks.map(([start, end]) => [place(start), place(end)]), notes };
}
