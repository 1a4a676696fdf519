import { bare } from './letters-only.ts';

/** Letters and digits of a text in turn, each with whether white space stands right before it. */
function spacedLetters(text: string): readonly { readonly letter: string; readonly isSpaced: boolean }[] {
  const found = [
    ...text.toLowerCase().matchAll(/(?<between>[^\p{L}\p{M}\p{N}]*)(?<letter>[\p{L}\p{M}\p{N}])/gu),
  ];
  return found.map(({ groups: { between = '', letter = '' } = {} }) => ({
    letter,
    isSpaced: /\s/.test(between),
  }));
}

/** So many words must be run together where pieces meet: a model leaves out a blank, too. */
const enoughJoins = 3;

/** Whether no piece begins or ends with white space, which a text has where they meet. */
export function runsTogetherAtJoins(pieces: readonly string[], wanted: string): boolean {
  if (pieces.some((piece) => piece !== piece.trim())) return false;
  const text = spacedLetters(pieces.join(''));
  const start = bare(pieces.join('')).indexOf(bare(wanted));
  if (start < 0) return false;
  const lost = spacedLetters(wanted).filter(
    ({ isSpaced }, place) => isSpaced && place > 0 && text[start + place]?.isSpaced === false,
  );
  return lost.length >= enoughJoins;
}

/** Whether it is a text but for one piece that comes twice in a row. */
export function repeatsOnePiece(pieces: readonly string[], wanted: string): boolean {
  const whole = bare(wanted);
  const letters = pieces.map(bare).filter((piece) => piece !== '');
  const isWithin = letters.join('').includes(whole);
  const isWanted = (rest: string): boolean => rest === whole || (!isWithin && rest.includes(whole));
  return letters.some(
    (piece, at) => at > 0 && piece === letters[at - 1] && isWanted(letters.toSpliced(at, 1).join('')),
  );
}

/** Whether it is a text but for a piece amid it that is none of it, once or each time the same. */
export function hasForeignPiece(pieces: readonly string[], wanted: string): boolean {
  const whole = bare(wanted);
  const letters = pieces.map(bare).filter((piece) => piece !== '');
  const isWanted = (rest: readonly string[]): boolean => rest.join('').includes(whole);
  if (isWanted(letters)) return false;
  return letters.some(
    (piece, at) => isWanted(letters.toSpliced(at, 1)) || isWanted(letters.filter((other) => other !== piece)),
  );
}
