import { blocks } from './decoders/blocks.ts';
import { compressed } from './decoders/compressed.ts';
import { quotedPrintable, unescaped } from './decoders/escapes.ts';
import { numbers } from './decoders/numbers.ts';
import { printable } from './decoders/printable.ts';
import { createGrams, type Grams, type Hit } from './grams.ts';
import { exactNeedles, foldedNeedles, type Labelled } from './needles.ts';
import { foldedView, type Span, type View, type Wanted } from './views.ts';

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

/** A longer text is searched in parts, each with some of the next: no secret is longer as it is written. */
const [partBytes, overlap] = [1024 * 1024, 64 * 1024];

/** A token shorter than this, in the middle of so much base64 on either side, is a part of that. */
const [short, chanceAround] = [8, 32];

function isChance({ bytes, kind }: View, { start, end }: Hit): boolean {
  if (kind !== 'text' || end - start >= short || start < chanceAround) return false;
  const around = bytes.toString('latin1', start - chanceAround, end + chanceAround);
  return around.length === end - start + 2 * chanceAround && /^[A-Za-z0-9+/]+$/.test(around);
}

/** A view, and whether it is only on the way to another that says more. */
interface Reading {
  readonly view: View;
  readonly isStep: boolean;
}

/** All that a view can be read as: itself, without escapes, decoded. */
function* readings(view: View, wanted: Wanted, left: number): Generator<Reading> {
  let last = view;
  for (const step of unescaped(view, wanted)) {
    yield { view: last, isStep: true };
    last = step;
  }
  yield { view: last, isStep: false };
  if (left === 0) return;
  for (const each of new Set([view, last]))
    for (const other of quotedPrintable(each, wanted)) yield* readings(other, wanted, left - 1);
  for (const raw of [...blocks(last, wanted), ...numbers(last, wanted)])
    for (const text of [...printable(raw, wanted), ...compressed(raw, wanted)])
      yield* readings(text, wanted, left - 1);
}

function foundBy(grams: Grams, view: View, isCut: boolean): readonly Found[] {
  return grams
    .scan(view.bytes, isCut)
    .filter((hit) => !isChance(view, hit))
    .map((hit) => ({
      spans: view.place(hit.start, hit.end),
      label: () => grams.label(view.bytes, hit),
      isWhole: hit.whole !== undefined,
      isNumbers: view.kind === 'numbers',
    }));
}

/** Finds secrets in a text: as they are, and in whatever can be read as text in it. */
export function createSearch(secrets: readonly Labelled[]) {
  const exact = createGrams(secrets.flatMap(exactNeedles));
  const folded = createGrams(secrets.flatMap(foldedNeedles));
  const shortest = Math.min(exact.shortest, folded.shortest);
  const isAscii = secrets.every(({ value }) => /^[\0-\x7f]*$/.test(value));
  const isFolded = Number.isFinite(folded.shortest);
  const hasMarks = secrets.some(({ value }) => /["'\\&<>]/.test(value));
  const wanted: Wanted = { shortest, isAscii, hasMarks, isPlaced: true };

  /** Whether there is something in it: without places, in a third of the time. */
  function holds(root: View, isCut: boolean, depth: number): boolean {
    const quick: Wanted = { ...wanted, isPlaced: false };
    for (const { view, isStep } of readings(root, quick, depth)) {
      if (view !== root && exact.scan(view.bytes, isCut).length > 0) return true;
      if (isFolded && !isStep && folded.scan(foldedView(view, quick).bytes, isCut).length > 0) return true;
    }
    return false;
  }

  /** What stands in it as it is. */
  const plain = (view: View, isCut: boolean): readonly Found[] => foundBy(exact, view, isCut);

  /**
   * What else stands in it, once that is taken out.
   * @param depth how many encodings are undone
   */
  function* within(view: View, isCut: boolean, depth: number): Generator<Found> {
    for (let start = 0; start === 0 || start < view.bytes.length; start += partBytes) {
      const bytes = view.bytes.subarray(start, start + partBytes + overlap);
      const place: View['place'] = (from, to) => view.place(start + from, start + to);
      const root: View = { bytes, kind: view.kind, place };
      const isLast = isCut && start + bytes.length >= view.bytes.length;
      if (!holds(root, isLast, depth)) continue;
      for (const { view: reading, isStep } of readings(root, wanted, depth)) {
        if (reading !== root) yield* foundBy(exact, reading, isLast);
        if (isFolded && !isStep) yield* foundBy(folded, foldedView(reading, wanted), isLast);
      }
    }
  }
  return { plain, within };
}
