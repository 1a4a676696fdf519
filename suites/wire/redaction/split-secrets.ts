import { firstFrom } from '../../../spec/first-from.ts';

/** Where a part of a joined text stands in the text that it was taken from. */
interface Piece {
  readonly start: number;
  /** Its place in the joined text. */
  readonly at: number;
  readonly length: number;
}

/** The strings that a body gives one member name, one after another: deltas of a stream, parts of a content. */
export interface Joined {
  readonly text: string;
  readonly pieces: readonly Piece[];
}

/** More strings than any reader of streams takes; what follows them is not joined. */
const mostStrings = 200_000;

/** Of a longer string only both ends are joined, this many characters each: no secret is longer as it is written. */
const longestEnd = 16_384;

const quote = 0x22;
const backslash = 0x5c;
const lineFeed = 0x0a;

/** Behind the end of the JSON string whose content begins at `from`; -1 where its line or the text ends first. */
function stringEnd(seen: string, from: number): number {
  for (let at = from; at < seen.length; at += 1) {
    const code = seen.charCodeAt(at);
    if (code === quote) return at + 1;
    if (code === lineFeed) return -1;
    if (code === backslash) at += 1;
  }
  return -1;
}

const isName = (seen: string, end: number): boolean => /^[ \t]*:/.test(seen.slice(end, end + 8));

/** The bounds of every string value in lines of JSON, with the member name that it has. */
function* stringsIn(seen: string): Generator<{ name: string; start: number; end: number }> {
  let name = '';
  for (let at = seen.indexOf('"'); at >= 0; ) {
    const start = at + 1;
    const end = stringEnd(seen, start);
    if (end < 0) at = seen.indexOf('"', Math.max(start, seen.indexOf('\n', start)));
    else {
      if (isName(seen, end)) name = seen.slice(start, Math.min(end - 1, start + 40));
      else yield { name, start, end: end - 1 };
      at = seen.indexOf('"', end);
    }
    if (end < 0 && seen.indexOf('\n', start) < 0) return;
  }
}

function createJoin() {
  const parts: string[] = [];
  const pieces: Piece[] = [];
  let at = 0;
  const put = (seen: string, start: number, end: number): void => {
    pieces.push({ start, at, length: end - start });
    parts.push(seen.slice(start, end));
    at += end - start;
  };
  const add = (seen: string, start: number, end: number): void => {
    if (end - start <= 2 * longestEnd) {
      put(seen, start, end);
      return;
    }
    put(seen, start, start + longestEnd);
    // A line feed stands in no secret, so that nothing is found across the gap.
    parts.push('\n');
    at += 1;
    put(seen, end - longestEnd, end);
  };
  return { add, joined: (): Joined => ({ text: parts.join(''), pieces }) };
}

/** The strings of each member name of a body, joined: a secret that a stream carries letter by letter stands whole only there. */
export function joinedStringsIn(seen: string): readonly Joined[] {
  const joins = new Map<string, ReturnType<typeof createJoin>>();
  let count = 0;
  for (const { name, start, end } of stringsIn(seen)) {
    if (start === end) continue;
    count += 1;
    if (count > mostStrings) break;
    let join = joins.get(name);
    if (join === undefined) {
      join = createJoin();
      joins.set(name, join);
    }
    join.add(seen, start, end);
  }
  return [...joins.values()].map(({ joined }) => joined()).filter(({ pieces }) => pieces.length > 1);
}

/** The first piece that ends behind a place of the joined text. */
const pieceAt = (pieces: readonly Piece[], place: number): number =>
  firstFrom(pieces.length, (index) => {
    const { at = 0, length = 0 } = pieces[index] ?? {};
    return at + length > place;
  });

/** Where in the body the part of a joined text from `start` to `end` stands. */
export function placesOf({ pieces }: Joined, start: number, end: number): (readonly [number, number])[] {
  const places: (readonly [number, number])[] = [];
  for (let index = pieceAt(pieces, start); index < pieces.length; index += 1) {
    const piece = pieces[index];
    if (piece === undefined || piece.at >= end) break;
    const from = piece.start + Math.max(0, start - piece.at);
    places.push([from, piece.start + Math.min(piece.length, end - piece.at)]);
  }
  return places;
}
