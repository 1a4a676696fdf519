import type { StreamFlaw } from '../../types/reasons/failures.ts';
import { bare } from './letters-only.ts';
import { hasForeignPiece, repeatsOnePiece, runsTogetherAtJoins } from './fragment-joins.ts';

/** A reply this short tells nothing about how much of it a stream lost. */
export const shortestComparable = 100;
/** What carries less than this part of the reply has lost some of it. */
const allFrom = 0.95;
/** A text of less than this part of the reply is not the reply, whatever it says. */
const smallBelow = 0.25;
/** What has less than this part of the letters may be another text that has them by chance. */
const mostFrom = 0.5;
/** What is longer than the reply by this may say some of it more than once. */
const moreFrom = 1.5;
/** What has less than this part of the white space between the words runs them together. */
const spacedFrom = 0.2;

/** How a stream carries the reply that the same request gets without one. */
export type Carried = 'whole' | StreamFlaw | 'other';

const plain = (text: string): string => text.replace(/\s+/g, ' ').trim();
const sorted = (text: string): string => [...text].sort().join('');

/** Whether all characters of one text stand in the other, in that order. */
function isWithin(text: string, other: string): boolean {
  let at = 0;
  for (const character of other) if (character === text[at]) at += 1;
  return at >= text.length;
}

const spaces = (text: string): number => text.match(/\s+/g)?.length ?? 0;

const ascii = (text: string): string => text.replace(/[^a-z0-9]/g, '');

/**
 * The replies that must lack part of a text before the target fails for it: a model that leaves some of it out in three
 * replies of ten does so in all of them in one run of four hundred.
 */
export const repliesNeeded = 5;

/** How the letters of the text that was asked for came, where the reply has them all: without some, shuffled, or as others. */
function carriedLetters(
  text: string,
  whole: string,
  wanted: string,
): 'whole' | 'part' | 'disordered' | 'garbled' | null {
  if (text.includes(wanted)) return 'whole';
  if (!whole.includes(wanted)) return null;
  if (wanted.startsWith(text) || wanted.endsWith(text)) return 'part';
  // Bytes of a letter that are read one by one are other letters, or none.
  if (ascii(text).includes(ascii(wanted)) && ascii(wanted) !== wanted) return 'garbled';
  if (text.length >= mostFrom * wanted.length && isWithin(text, wanted)) return 'part';
  return sorted(text) === sorted(whole) ? 'disordered' : null;
}

/** What a text may lack of another in one place, by where that is; null where it lacks something in several. */
function lostFrom(text: string, wanted: string): readonly string[] | null {
  const length = wanted.length - text.length;
  const differs = [...wanted].findIndex((_, at) => wanted[at] !== text[at]);
  if (wanted.slice(0, differs) + wanted.slice(differs + length) !== text) return null;
  const starts = [differs];
  // Of "abcabd" without "abc" it may as well be "cab" that is gone.
  for (let at = differs; at > 0 && wanted[at - 1] === wanted[at - 1 + length]; at -= 1) starts.push(at - 1);
  return starts.map((at) => wanted.slice(at, at + length));
}

/** Whether each piece holds all before it, or comes twice. */
export function repeatsPieces(pieces: readonly string[]): boolean {
  const cumulative = pieces.every((piece, at) => piece.startsWith(pieces[at - 1] ?? ''));
  const inPairs = pieces.every((piece, at) => piece === pieces[at - (at % 2)]);
  return pieces.length > 2 && (cumulative || inPairs);
}

/** Whether the whole comes twice. */
function isDoubled(text: string): boolean {
  const half = Math.floor(text.length / 2);
  return plain(text.slice(0, half)) === plain(text.slice(-half));
}

/**
 * How the pieces of a stream carry a reply. A model says the same thing in other words, and now and then
 * less of it: only a text that holds nothing but the reply, and not all of it, has lost something.
 * @param asked the text that the model was asked to repeat, or that it says whatever it is asked
 * @param isExplained whether something else is wrong that loses a fragment, or its letters stand elsewhere; null
 * where fragments are lost in several places
 */
export function carriedBy(
  pieces: readonly string[],
  reply: string,
  asked: string,
  isExplained: (lost: readonly string[] | null) => boolean = () => false,
): Carried {
  const [text, whole, wanted] = [pieces.join(''), reply, asked].map(plain) as [string, string, string];
  if (whole.length < shortestComparable && whole !== wanted) return 'whole';
  if (text.length >= moreFrom * whole.length && (repeatsPieces(pieces) || isDoubled(text))) return 'repeated';
  const letters = carriedLetters(bare(text), bare(whole), bare(wanted));
  const isRunTogether = (): boolean =>
    spaces(text) < spacedFrom * spaces(whole) || runsTogetherAtJoins(pieces, reply);
  if (whole.includes(wanted) && repeatsOnePiece(pieces, asked)) return 'repeated';
  if (whole.includes(wanted) && hasForeignPiece(pieces, asked)) return 'interrupted';
  if (letters === 'whole') return isRunTogether() ? 'run together' : letters;
  const lost = letters === 'part' ? lostFrom(bare(text), bare(wanted)) : [];
  if (letters !== null && !isExplained(lost)) return letters;
  if (text.length >= allFrom * whole.length) return 'whole';
  if (whole.includes(wanted) && isWithin(text, whole)) return 'part';
  if (text.length >= smallBelow * whole.length) return 'whole';
  return whole.startsWith(text) ? 'part' : 'other';
}
