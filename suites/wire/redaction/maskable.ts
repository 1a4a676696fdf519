import reportWords from './report-words.json' with { type: 'json' };

/** Words and names that requests and reports hold anyway. A fixed list: what is masked depends on the token alone. A test tells gaps. */
const [words, names] = [reportWords.words, reportWords.names].map((lines) => lines.join('\n')) as [
  string,
  string,
];

/** Shorter than this, in characters, a token stands in any text by chance. */
const shortest = 4;

/** Up to this length, in characters, digits are numbers, days and digests before they are a token. */
const longestNumber = 7;

/** Without the marks of JSON, so that `{"` counts for nothing. */
const withoutMarks = (token: string): string => token.replace(/[{}[\]",:\\]/g, '');

/**
 * Whether a token can be taken out of what is recorded and written: not one that is very short, a number, or part
 * of a word that requests and reports hold anyway (`default`, `chat`, `true`). Without such a word replies
 * and reports would not say what they say, and the verdicts would be others. Recorded requests name the variable
 * of every token all the same.
 */
export function isMaskable(token: string): boolean {
  if (withoutMarks(token).length < shortest) return false;
  if (token.length <= longestNumber && /^[\d.+-]+$|^[0-9a-f]+$/.test(token)) return false;
  const word = token.toLowerCase();
  return !(/^[a-z]+$/.test(word) ? words : names).includes(word);
}
