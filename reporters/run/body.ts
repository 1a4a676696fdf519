import { oncePer, oncePerObject } from '../../spec/once.ts';
import { groupDigits, count, repeatedSentences } from '../../spec/text.ts';
import type { Body } from '../../suites/types/exchange.ts';
import type { Inline, RecordedPart } from '../document/blocks.ts';
import { type EventPointer, readPointer } from '../../suites/types/finding.ts';
import { formatJson, readJson, readWhole, resolvePointer, characterBoundary } from './json-text.ts';

type Range = readonly [start: number, end: number];

/** A text with ranges of it: what is marked, and what we say ourselves. */
interface Spans {
  readonly text: string;
  readonly marks: readonly Range[];
  readonly notes: readonly Range[];
}

/** What repeats in fewer characters is shorter than the words that tell of it. */
const shortest = 80;

/** A text in which a sentence or line that follows itself stands once, but where it is marked. In linear time. */
function withRepeatsCounted(source: string, marks: readonly Range[]): Spans {
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

/** Offsets of the payloads of a stream's events: of SSE data, or of JSON values one after the other. */
function payloads(text: string): number[] {
  const found: number[] = [];
  const blocks = /(?:^|\r\n|\n|\r)(data: ?)|(\r\n|\n|\r)(?=\r\n|\n|\r|$)/g;
  if (/^\s*[{[]/.test(text)) {
    for (let piece = readJson(text); piece !== null; piece = readJson(text, piece.end))
      found.push(piece.start);
    return found;
  }
  let open = false;
  for (const match of text.matchAll(blocks)) {
    if (match[1] === undefined) open = false;
    else if (!open) {
      found.push(match.index + match[0].length);
      open = true;
    }
  }
  return found;
}

/** Where a place is in a text: null where it can't be. */
function locate(text: string, { event, pointer }: EventPointer): { range: Range; exact: boolean } | null {
  const start = event === null ? 0 : payloads(text)[event];
  if (start === undefined) return null;
  const root = event === null ? readWhole(text) : readJson(text, start);
  if (root !== null) {
    const { node, exact } = resolvePointer(root, pointer);
    return { range: [node.start, node.end], exact };
  }
  const length = text.slice(start).search(/[\r\n]/);
  return event === null ? null : { range: [start, length < 0 ? text.length : start + length], exact: true };
}

/** What a pointer leads to in a recorded body; not exactly where a member is missing, null where it can't lead there. */
export function markIn({ text, encoding }: Body, pointer: string): { exact: boolean; raw: string } | null {
  const found = encoding === 'utf8' ? locate(text, readPointer(pointer)) : null;
  return found && { exact: found.exact, raw: text.slice(...found.range) };
}

/** A body with marks at pointers, which are JSON. A page is made in several lengths: it is laid out once for all of them. */
const spansOf = oncePerObject((body: Body) =>
  oncePer((pointers: string): Spans => {
    const isText = body.encoding === 'utf8';
    const { text, marks } = isText ? layOut(body, JSON.parse(pointers)) : { text: body.text, marks: [] };
    return withRepeatsCounted(text, merge(marks));
  }),
);

function layOut(body: Body, pointers: readonly string[]): { text: string; marks: readonly Range[] } {
  const root = readWhole(body.text);
  if (root !== null) {
    const formatted = formatJson(body.text, root);
    const inDocument = pointers.map(readPointer).filter(({ event }) => event === null);
    return {
      text: formatted.text,
      marks: inDocument.flatMap(({ pointer }) => {
        const range = formatted.places.get(resolvePointer(root, pointer).node);
        return range === undefined ? [] : [range];
      }),
    };
  }
  const inEvents = pointers.map(readPointer).filter(({ event }) => event !== null);
  return {
    text: body.text,
    marks: inEvents.flatMap((place) => {
      const target = locate(body.text, place);
      return target === null ? [] : [target.range];
    }),
  };
}

/** A gap shorter than this takes less room than the words that it was left out. */
const shortGap = 40;

/** Ranges in order, those that touch or almost do made one. */
function merge(ranges: readonly Range[], slack = 0): Range[] {
  const merged: [number, number][] = [];
  for (const [start, end] of [...ranges].sort((one, other) => one[0] - other[0])) {
    const last = merged.at(-1);
    if (last !== undefined && start <= last[1] + slack) last[1] = Math.max(last[1], end);
    else merged.push([start, end]);
  }
  return merged;
}

/** The parts worth showing where not all can be: the beginning, and what is marked or the end. */
function windows({ text, marks }: Spans, limit: number): Range[] {
  if (text.length <= limit * 1.1) return [[0, text.length]];
  const clamp = (at: number) => Math.max(0, Math.min(text.length, Math.round(at)));
  if (marks.length === 0)
    return [
      [0, clamp(limit * 0.8)],
      [clamp(text.length - limit * 0.2), text.length],
    ];
  const around = marks
    .slice(0, 3)
    .map(
      ([start, end]): Range => [
        clamp(start - limit / 4),
        clamp(Math.min(end, start + limit / 3) + limit / 6),
      ],
    );
  return merge([[0, clamp(limit / 4)], ...around], shortGap);
}

/** The text of a range, with what is marked and what we say ourselves in it. */
function pieces({ text, marks, notes }: Spans, [from, to]: Range): Inline[] {
  const within = (ranges: readonly Range[], isMark: boolean) =>
    ranges.map(([start, end]) => ({ start: Math.max(start, from), end: Math.min(end, to), isMark }));
  const cuts = [...within(marks, true), ...within(notes, false)]
    .filter(({ start, end }) => start < end)
    .sort((one, other) => one.start - other.start);
  const parts: Inline[] = [];
  let at = from;
  for (const { start, end, isMark } of cuts) {
    const own = text.slice(start, end);
    // A whole value, where the member that is named is missing, is no place for loud ink.
    const shown: Inline = isMark
      ? { is: 'mark', text: own, whole: own.includes('\n') }
      : { is: 'aside', of: own };
    parts.push(text.slice(at, start), shown);
    at = end;
  }
  return [...parts, text.slice(at, to)];
}

/** How much of a body is shown: so many characters at once, and whether the others are there behind a line. */
export interface BodyRoom {
  readonly limit: number;
  readonly hasRest: boolean;
}

/** A body on indented lines, marked where pointers lead; of a long one what is between stands behind a line, or is told. */
export function bodyParts(body: Body, pointers: readonly string[], { limit, hasRest }: BodyRoom) {
  const shown = spansOf(body)(JSON.stringify(pointers));
  const whole = groupDigits(shown.text.length);
  const parts: RecordedPart[] =
    body.encoding === 'base64' ? [{ text: { is: 'aside', of: 'not UTF-8, as base64: ' } }] : [];
  const gap = (from: number, to: number): RecordedPart => {
    const words = `⋯ ${groupDigits(to - from)} of ${whole} characters`;
    if (hasRest) return { text: pieces(shown, [from, to]), behind: words };
    return { text: { is: 'aside', of: `${words}, in full in report.json ⋯` } };
  };
  let at = 0;
  for (const [from, to] of windows(shown, limit)) {
    const range: Range = [characterBoundary(shown.text, from), characterBoundary(shown.text, to)];
    if (range[0] > at) parts.push(gap(at, range[0]));
    parts.push({ text: pieces(shown, range) });
    at = range[1];
  }
  return at < shown.text.length ? [...parts, gap(at, shown.text.length)] : parts;
}
