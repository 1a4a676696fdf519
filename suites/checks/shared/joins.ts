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

const lettersOf = (text: string): string =>
  spacedLetters(text)
    .map(({ letter }) => letter)
    .join('');

/** So many words must be run together where pieces meet: a model leaves out a blank, too. */
const enoughJoins = 3;

/** Whether white space of a text is lost wherever two pieces of it meet. */
export function runsTogetherAtJoins(pieces: readonly string[], wanted: string): boolean {
  const [text, whole] = [pieces.join(''), wanted].map(spacedLetters) as [
    ReturnType<typeof spacedLetters>,
    ReturnType<typeof spacedLetters>,
  ];
  const start = lettersOf(pieces.join('')).indexOf(lettersOf(wanted));
  if (start < 0) return false;
  let at = 0;
  const joins = new Set(pieces.map((piece) => (at += spacedLetters(piece).length)));
  const spaced = whole.flatMap(({ isSpaced }, place) => (isSpaced && place > 0 ? [start + place] : []));
  const isLost = (place: number): boolean => text[place]?.isSpaced === false;
  const atJoins = spaced.filter((place) => joins.has(place));
  return atJoins.length >= enoughJoins && atJoins.every(isLost);
}

/** Whether it is a text but for one piece that comes twice in a row. */
export function repeatsOnePiece(pieces: readonly string[], wanted: string): boolean {
  const whole = lettersOf(wanted);
  const letters = pieces.map(lettersOf).filter((piece) => piece !== '');
  return letters.some(
    (piece, at) => at > 0 && piece === letters[at - 1] && letters.toSpliced(at, 1).join('').includes(whole),
  );
}
