import { describe, expect, it } from 'vitest';
import { events, refused, replied, viewOf } from '../evidence.fixture.ts';
import { isRowAtOnce } from './arrival.ts';

const chunk = (text: string) => ({ choices: [{ delta: { content: text } }] });

/** A stream of so many words of ten characters, which come evenly between two times. */
const streamed = (id: string, words: number, fromMs: number, toMs: number) =>
  replied(id, {
    pieces: events(
      Array.from({ length: words }, () => chunk('ten_chars ')),
      Array.from({ length: words }, (_, at) => fromMs + ((toMs - fromMs) * at) / Math.max(1, words - 1)),
    ),
  });

const long = streamed('long', 40, 20, 420);
const slow = streamed('slow', 6, 20, 70);
const pace = { row: 'row', rows: ['row', 'slow'], long: 'long' };
const seen = (...entries: Parameters<typeof viewOf>[1]) => isRowAtOnce(viewOf('chat', entries), pace);

describe('the text of a row', () => {
  it('came at once where it would have taken longer at the pace of the long stream, and of another row', () => {
    expect(seen(long, slow, streamed('row', 6, 80, 82))).toBe(true);
    expect(seen(long, slow, streamed('row', 1, 80, 80))).toBe(false);
    expect(seen(long, slow, streamed('row', 6, 20, 60))).toBe(false);
  });

  it.each([
    ['the long stream came at once as well', [streamed('long', 40, 420, 425), slow]],
    ['the long stream is fast', [streamed('long', 40, 20, 70), slow]],
    ['every row came at once', [long, streamed('slow', 6, 80, 81)]],
    ['no other row is long enough', [long, streamed('slow', 2, 20, 40)]],
    ['no other row is answered', [long, refused('slow')]],
    ['there is no long stream', [refused('long'), slow]],
  ])('tells nothing where %s', (_, others) => {
    expect(seen(...others, streamed('row', 6, 80, 82))).toBe(false);
  });
});
