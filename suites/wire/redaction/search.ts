import { blocks, wideBlocks } from './decoders/blocks.ts';
import { compressed, printable } from './decoders/decoded.ts';
import { quotedPrintable, unescaped } from './decoders/escapes.ts';
import { letters, numbers } from './decoders/numbers.ts';
import { createGrams, type Hit } from './grams.ts';
import { signsIn, type Span, type View, type Wanted } from './views.ts';
import { rotated } from './decoders/alphabets.ts';
import type { Needle } from './gram-index.ts';
import { isMaskable } from './maskable.ts';

/** A secret with the label that stands in its place. */
export interface Labelled {
  readonly value: string;
  readonly label: string;
}

/** In a row, these may be words and numbers of ordinary text. */
const words = /[A-Z]?[a-z]{5,}|[A-Z]{6,}|\d{6,}/g;

/** Characters beside words from which on nobody writes a token by chance, not even half of it. */
const strangeEnough = 10;

/** Letters and digits, this many of them digits, from which on nobody writes all of a token by chance. */
const [longEnough, digitsEnough] = [12, 4];

/** What must stand there of a token that no text holds by chance. */
const mostOfIt = 0.6;

const signsOf = (value: string): string => value.replace(/[^A-Za-z0-9]/g, '');

const isRandom = (value: string): boolean => signsOf(value).replace(words, '').length >= strangeEnough;

const rot13 = (bytes: Buffer): Buffer => Buffer.from(bytes.map((byte) => rotated[byte] ?? 0));

/** Letters and digits alone, in lower case: forwards, backwards and in ROT13. */
function foldedNeedles({ value, label }: Labelled): readonly Needle[] {
  const signs = signsOf(value);
  const isLong = signs.length >= longEnough && signs.replace(/\D/g, '').length >= digitsEnough;
  if (!isLong && !isRandom(value)) return [];
  const plain = Buffer.from(signs.toLowerCase());
  return [plain, Buffer.from(plain).reverse(), rot13(plain)].map((bytes) => ({
    label,
    bytes,
    share: isRandom(value) ? mostOfIt : 1,
  }));
}

/** What a secret with escapes in it reads as, for they are undone in all that is searched, and what it is in ROT13. */
const otherForms = (bytes: Buffer): readonly Buffer[] => {
  const steps = unescaped({ bytes, kind: 'text', place: (start, end) => [{ start, end }] }, true);
  return [...steps.map((view) => view.bytes), rot13(bytes)].filter((form) =>
    isMaskable(form.toString('utf8')),
  );
};

/** From this length on, in bytes, all but the last byte of a secret is no chance. */
const longEnoughShort = 16;

/** The secret as it is, in those, and without its last byte: what follows it in base85 changes that. */
function exactNeedles({ value, label }: Labelled): readonly Needle[] {
  const bytes = Buffer.from(value, 'utf8');
  const share = isRandom(value) ? mostOfIt : 1;
  const forms = [bytes, ...otherForms(bytes)];
  const shorter = forms.filter((form) => share === 1 && form.length >= longEnoughShort);
  return [...forms, ...shorter.map((form) => form.subarray(0, -1))].map((each) => ({
    label,
    bytes: each,
    share,
  }));
}

/** A secret, or a piece of one. */
export interface Found {
  /** Where it stands; in several places where something else stands between its characters. */
  readonly spans: readonly Span[];
  readonly label: () => string;
  readonly isWhole: boolean;
  /** Whether it is a list of numbers. */
  readonly isNumbers: boolean;
}

/** So many encodings may lie in one another; escapes are undone besides. */
export const mostDepth = 2;

/** A longer text is searched in parts, so that each takes little time, in bytes. */
const partBytes = 128 * 1024;

/** What a part has of the next, so that no secret is cut: bytes for each of the longest secret, and at most. */
const [writtenBytes, mostOverlap] = [128, 64 * 1024];

/** A token shorter than this, in the middle of so much base64 on either side, is a part of that. */
const [short, chanceAround] = [8, 32];

function isChance({ bytes, kind }: View, { start, end }: Hit): boolean {
  if (kind !== 'text' || end - start >= short || start < chanceAround) return false;
  const around = bytes.toString('latin1', start - chanceAround, end + chanceAround);
  return around.length === end - start + 2 * chanceAround && /^[A-Za-z0-9+/]+$/.test(around);
}

/** A view, and what is looked for in it. */
type Reading = readonly [View, 'secrets' | 'letters'];

/** All that a view can be read as, once it was searched itself: without escapes, decoded. */
function* readings(view: View, wanted: Wanted, left: number): Generator<Reading> {
  // Marks are characters of some encodings.
  const steps = unescaped(view, left > 0 || wanted.hasMarks);
  const last = steps.at(-1) ?? view;
  for (const step of steps) yield [step, 'secrets'];
  yield [last, 'letters'];
  if (left === 0) return;
  const decoded = function* (): Generator<View> {
    const raw = function* (): Generator<View> {
      // Their characters may look like escapes.
      for (const each of [view, ...steps]) yield* wideBlocks(each, wanted);
      yield* blocks(last, wanted);
      yield* numbers(last, wanted);
    };
    for (const each of [view, ...steps]) {
      yield* quotedPrintable(each, wanted);
      yield* letters(each, wanted);
    }
    for (const each of raw()) {
      yield* printable(each, wanted);
      yield* compressed(each, wanted);
    }
  };
  for (const each of decoded()) {
    yield [each, 'secrets'];
    yield* readings(each, wanted, left - 1);
  }
}

/** Finds secrets in a text: as they are, and in whatever can be read as text in it. */
export function createSearch(secrets: readonly Labelled[]) {
  const exact = createGrams(secrets.flatMap(exactNeedles), false);
  const folded = createGrams(secrets.flatMap(foldedNeedles), true);
  const longest = Math.max(0, ...secrets.map(({ value }) => value.length));
  const overlap = Math.min(mostOverlap, writtenBytes * longest);
  const wanted: Wanted = {
    shortest: Math.min(exact.shortest, folded.shortest),
    isShort: secrets.some(({ value }) => Buffer.byteLength(value) < longEnoughShort),
    written: overlap,
    isAscii: secrets.every(({ value }) => /^[\0-\x7f]*$/.test(value)),
    hasMarks: secrets.some(({ value }) => /["'\\&<>]/.test(value)),
  };

  /** The parts of a view, and whether each may break off within a secret. */
  function* partsOf(view: View, isCut: boolean): Generator<readonly [View, boolean]> {
    for (let start = 0; start === 0 || start < view.bytes.length; start += partBytes) {
      const bytes = view.bytes.subarray(start, start + partBytes + overlap);
      const place: View['place'] = (from, to) => view.place(start + from, start + to);
      yield [{ bytes, kind: view.kind, place }, isCut && start + bytes.length >= view.bytes.length];
    }
  }

  const foundBy = (grams: typeof exact, view: View, isCut: boolean): readonly Found[] =>
    grams
      .scan(view.bytes, isCut)
      .filter((hit) => !isChance(view, hit))
      .map((hit) => ({
        spans: (grams === folded ? signsIn(view.bytes, hit.start, hit.end) : [hit]).flatMap((span) =>
          view.place(span.start, span.end),
        ),
        label: () => grams.label(hit),
        isWhole: 'needle' in hit,
        isNumbers: view.kind === 'numbers',
      }));

  /** What stands in it as it is. */
  const plain = (view: View, isCut: boolean): readonly Found[] => foundBy(exact, view, isCut);

  /** What else stands in it, once that is taken out. `depth`: how many encodings are undone. */
  function* within(view: View, isCut: boolean, depth: number): Generator<readonly Found[]> {
    if (view.bytes.length < wanted.shortest && !isCut) return;
    for (const [part, isLast] of partsOf(view, isCut))
      for (const [reading, looked] of readings(part, wanted, depth))
        yield foundBy(looked === 'secrets' ? exact : folded, reading, isLast);
  }
  return { partsOf, plain, within };
}
