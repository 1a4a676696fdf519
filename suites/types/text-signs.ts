/** What every text may hold without a word: letters, digits and what ends a sentence. */
const plain = /[A-Za-z0-9.,:?! ]/;

const names: Readonly<Record<string, string>> = {
  '"': 'a quotation mark',
  '\\': 'a backslash',
  '\n': 'a line break',
  '&': 'an ampersand',
  '<': 'an opening angle bracket',
  '>': 'a closing angle bracket',
  '-': 'a hyphen',
};

/** A sign of a text in words, such as `a quotation mark`. */
export function signInWords(sign: string): string {
  const known = names[sign];
  if (known !== undefined) return known;
  return /\p{L}/u.test(sign) ? `the letter ${sign}` : `the sign ${sign}`;
}

/** The signs of a text, each once: what may be left out of it without a word less. */
export const signsOf = (text: string): readonly string[] =>
  [...new Set(text)].filter((each) => !plain.test(each));
