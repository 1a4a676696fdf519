import { isMaskable } from './maskable.ts';
import { shortestText } from './decoders/decoded.ts';
import { type Labelled, createSearch, type Found, mostDepth } from './search.ts';
import { joinedStringsIn, placesOf } from './split-secrets.ts';
import { joinSpans, type Span, type View } from './views.ts';
import { setImmediate as turn } from 'node:timers/promises';

/** So long work goes on before the event loop has its turn, in milliseconds. */
const longestMs = 20;

/** Work that stops at each `yield`, all at once. */
function atOnce<Result>(work: Generator<undefined, Result>): Result {
  for (let step = work.next(); ; step = work.next()) if (step.done === true) return step.value;
}

/** The same with the event loop in between: a signal waits for one step. Throws the reason of the signal, once it is given. */
async function inTurns<Result>(work: Generator<undefined, Result>, signal: AbortSignal): Promise<Result> {
  let since = performance.now();
  for (let step = work.next(); ; step = work.next()) {
    if (step.done === true) return step.value;
    if (performance.now() - since < longestMs) continue;
    await turn();
    signal.throwIfAborted();
    since = performance.now();
  }
}

/** Takes secrets out of whatever is recorded or written, but those that can't be told from ordinary text (`isMaskable`). */
export type Redactor = ReturnType<typeof createRedactor>;

/** Texts without a secret that are remembered: characters of each, and of all; and the last that is longer than this. */
const [longestKnown, mostKnown, shortestLast] = [16_384, 1_000_000, 100_000];

/** Texts that are known to have no secret, within bounds. */
function createKnown() {
  const texts = new Set<string>();
  let room = mostKnown;
  return {
    has: (text: string): boolean => texts.has(text),
    add: (text: string): void => {
      if (text.length > Math.min(longestKnown, room) || texts.has(text)) return;
      texts.add(text);
      room -= text.length;
    },
  };
}

/** What a label is put in may spell a secret again, so often. */
const mostRounds = 3;

/** The escape of JSON that reaches up to a place: its backslash, or that and what follows it. */
const escapeUpTo = /\\(?:u[0-9a-fA-F]{0,3})?$/;

/** Whether the backslash at a place is no part of an escape before it. */
function isEscape(seen: Buffer, at: number): boolean {
  let first = at;
  while (seen[first - 1] === 0x5c) first -= 1;
  return (at - first) % 2 === 0;
}

/** A part with the whole of the escapes that it begins and ends in, so that JSON stays JSON: a secret may begin with the rest of one. */
function withEscapes(seen: Buffer, { start, end }: Span): Span {
  const [begun] = escapeUpTo.exec(seen.toString('latin1', Math.max(0, start - 5), start)) ?? [''];
  const isBegun = begun !== '' && isEscape(seen, start - begun.length);
  const isCut = end < seen.length && seen[end - 1] === 0x5c && isEscape(seen, end - 1);
  return { start: isBegun ? start - begun.length : start, end: isCut ? end + 1 : end };
}

// As a part of itself: what searches it is compiled for one kind of buffer, and there are several.
const rootView = (bytes: Buffer): View => ({
  bytes: bytes.subarray(),
  kind: 'text',
  place: (start, end) => [{ start, end }],
});

/** Of the strings that a body gives one name, as one text. */
const joinedViews = (seen: string): readonly View[] =>
  joinedStringsIn(seen).map((joined) => ({
    ...rootView(Buffer.from(joined.text, 'latin1')),
    place: (start, end) => placesOf(joined, start, end).map(([from, to]) => ({ start: from, end: to })),
  }));

/** What is taken out, in its order; of what begins at one place what is longest, and what stands there whole. */
const placesIn = (bytes: Buffer, all: readonly Found[]) =>
  all
    .flatMap((found) =>
      joinSpans(bytes, found.spans).map((span, number, { length: count }) => ({
        ...withEscapes(bytes, span),
        found,
        /** Which of the places of one secret it is, and of how many. */
        number,
        count,
      })),
    )
    .sort(
      (one, other) =>
        one.start - other.start ||
        other.end - one.end ||
        Number(other.found.isWhole) - Number(one.found.isWhole),
    );

/** What stands in the place of a part; a number of a list stays one. */
function replacement({ found, number, count, start, end }: ReturnType<typeof placesIn>[number]): string {
  if (found.isNumbers && count > 1) return '1'.repeat(end - start);
  return number === 0 ? `[redacted:${found.label()}]` : '';
}

function replaced(bytes: Buffer, all: readonly Found[]): Buffer {
  const parts: Buffer[] = [];
  let at = 0;
  for (const place of placesIn(bytes, all)) {
    if (place.start >= at) parts.push(bytes.subarray(at, place.start), Buffer.from(replacement(place)));
    at = Math.max(at, place.end);
  }
  return Buffer.concat([...parts, bytes.subarray(at)]);
}

/** What a redactor looks for, and the texts that it need not search again. */
interface Search extends ReturnType<typeof createSearch> {
  readonly secrets: readonly Labelled[];
  /** Headers come again with every reply, a request with its controls, and most refusals are alike. */
  readonly unchanged: ReturnType<typeof createKnown>;
  readonly unchangedBytes: ReturnType<typeof createKnown>;
  /** A report is searched before all is made of it, and would be again when it is written. */
  last: { readonly text: string; readonly depth: number } | undefined;
}

function cleaned(search: Search, input: string, depth: number): string {
  const { secrets, unchanged, last, plain, within } = search;
  if (secrets.length === 0 || unchanged.has(input)) return input;
  if (last && depth <= last.depth && input === last.text) return input;
  const before = Buffer.from(input, 'utf8');
  // Most stand there as they are, and what is taken out need not be decoded.
  const first = plain(rootView(before), false);
  let clean = first.length === 0 ? before : replaced(before, first);
  for (let round = 0; round < mostRounds; round += 1) {
    const all = [...within(rootView(clean), false, depth)].flat();
    if (all.length === 0) break;
    clean = replaced(clean, all);
  }
  // Unchanged text is given back as it was: a lone surrogate would not survive the way through bytes.
  if (clean !== before) return clean.toString('utf8');
  if (depth === mostDepth) unchanged.add(input);
  if (input.length >= shortestLast) search.last = { text: input, depth };
  return input;
}

/** Masks bytes in steps, so that others may have their turn in between. */
function* steps(search: Search, input: Buffer, seen: string): Generator<undefined, Buffer> {
  const { secrets, unchangedBytes, partsOf, plain, within } = search;
  if (secrets.length === 0 || unchangedBytes.has(seen)) return input;
  let masked = input;
  const mask = (all: readonly Found[]): undefined => {
    for (const { spans, isNumbers } of all) {
      if (masked === input) masked = Buffer.from(input);
      // In a list a number stays one.
      for (const { start, end } of spans.map((span) => withEscapes(input, span)))
        masked.fill(isNumbers ? '1' : '*', start, end);
    }
  };
  // What stands in the strings one after another can only be told while they are whole.
  for (const part of partsOf(rootView(input), true)) yield mask(plain(...part));
  const before = masked;
  const joined = joinedViews(before === input ? seen : before.toString('latin1'));
  for (const view of joined) for (const part of partsOf(view, true)) yield mask(plain(...part));
  for (const found of within(rootView(masked), true, mostDepth)) yield mask(found);
  for (const view of masked === before ? joined : joinedViews(masked.toString('latin1')))
    for (const found of within(view, true, mostDepth)) yield mask(found);
  if (masked === input) unchangedBytes.add(seen);
  return masked;
}

const labelsIn = (found: readonly Found[]): string[] =>
  [...new Set(found.map(({ label }) => label()))].sort();

// What is made of a token has its label.
const labelsOf = (secrets: readonly Labelled[]): readonly string[] => [
  ...new Set(secrets.map(({ label }) => label)),
];

/** @param tokens secrets with the label that stands in their place */
export function createRedactor(tokens: readonly Labelled[]) {
  const given = tokens.filter(({ value }) => value !== '');
  const secrets = given.filter(({ value }) => isMaskable(value));
  const known = { unchanged: createKnown(), unchangedBytes: createKnown(), last: undefined };
  const search: Search = { ...createSearch(secrets), secrets, ...known };
  const { plain, within } = search;
  let turn: Promise<unknown> = Promise.resolve();
  return {
    /** The text with `[redacted:LABEL]` for each secret, in whatever encoding it stood. */
    text: (input: string): string => cleaned(search, input, mostDepth),
    /** The same for what was made of texts without secrets: nothing in it is encoded that was not before. */
    rendered: (input: string): string => cleaned(search, input, 0),
    /** With `*` for each byte of a secret, also of one that is split over strings; the same buffer where none is. `seen`: as Latin-1. */
    bytes: (input: Buffer, seen = input.toString('latin1')): Buffer => atOnce(steps(search, input, seen)),
    /** The same with the event loop in between, one at a time. Rejects with the reason of the signal once that is given. */
    bytesInTurns: (input: Buffer, seen: string, signal: AbortSignal): Promise<Buffer> => {
      const done = turn.then(() => inTurns(steps(search, input, seen), signal));
      turn = done.catch(() => undefined);
      return done;
    },
    /** Labels of the secrets found; empty where there are none. */
    leaks: (content: string | Buffer): string[] => {
      const view = rootView(Buffer.from(content as string));
      return labelsIn([...plain(view, false), ...[...within(view, false, mostDepth)].flat()]);
    },
    /** Labels of the secrets that are too short to be told in every form. */
    partly: labelsOf(secrets.filter(({ value }) => Buffer.byteLength(value) < shortestText)),
    /** Labels of the secrets that are not looked for, because they can't be told from ordinary text. */
    open: labelsOf(given.filter(({ value }) => !isMaskable(value))),
  };
}
