/** What a cut leaves of a word, unless that is no word of a language, or of a character. */
const leftInPart = /\s+\S{0,24}$|[\ud800-\udbff]$/;

/** The text, cut to at most a length in UTF-16 code units, behind a word where there is one; an ellipsis says that it was. */
export function shorten(text: string, length: number): string {
  if (text.length <= length) return text;
  const head = text.slice(0, length);
  return `${/\s/.test(text.charAt(length)) ? head.trimEnd() : head.replace(leftInPart, '')}…`;
}

/** The text broken at spaces into lines of at most `width` characters; a longer word has a line of its own. */
export function wrapText(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const next = line === '' ? word : `${line} ${word}`;
    if (next.length > width && line !== '') {
      lines.push(line);
      line = word;
    } else line = next;
  }
  return [...lines, line];
}

/** The sentences and lines of a text in their order, with how often each follows itself. */
export function repeatedSentences(text: string): { readonly sentence: string; readonly times: number }[] {
  const found: { sentence: string; times: number }[] = [];
  const ends = /[.!?] |\n/g;
  let start = 0;
  do {
    ends.lastIndex = start;
    const end = ends.test(text) ? ends.lastIndex : text.length;
    const sentence = text.slice(start, end);
    let times = 1;
    while (end < text.length && text.startsWith(sentence, start + sentence.length * times)) times += 1;
    found.push({ sentence, times });
    start += sentence.length * times;
  } while (start < text.length);
  return found;
}

/** An integer with a thin space between thousands. */
export const groupDigits = (amount: number) => String(amount).replace(/\B(?=(\d{3})+(?!\d))/g, '\u202f');

/** `1 thing`, `2 things`: a count with its noun. */
export const count = (amount: number, one: string, many = `${one}s`): string =>
  `${groupDigits(amount)} ${amount === 1 ? one : many}`;

/** ` (TEXT)`, to follow a word; nothing where there is no text. */
export const inParentheses = (text = ''): string => (text === '' ? '' : ` (${text})`);

/** What an error says, whatever was thrown. */
export const errorMessage = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** The most names of a list that are shown. */
const mostNamed = 5;

/** `a, b, c`; of a longer list the first, and how many more there are. */
export function firstOf(names: readonly string[], most = mostNamed): string {
  const rest = names.length - most;
  return `${names.slice(0, most).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** Joined by commas, and the last by `and`, or another word. */
export const inWords = (parts: readonly string[], word = 'and'): string =>
  [parts.slice(0, -1).join(', '), ...parts.slice(-1)].filter((part) => part !== '').join(` ${word} `);

/** A number as people count places: 1st, 22nd, 13th. */
export function ordinal(number: number): string {
  const ending = Math.floor(number / 10) % 10 === 1 ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th');
  return `${number}${ending}`;
}

/** A noun with the article that belongs to it: `a string`, `an integer`. */
export const withArticle = (noun: string): string => `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;

/** A JSON Pointer as people write it, such as `choices[0].index`. */
export const pathOf = (pointer: string): string =>
  pointer
    .slice(1)
    .replace(/\/(\d+)/g, '[$1]')
    .replaceAll('/', '.');

/** Whether it is an address of the web that a page may link to: http or https, and no white space in it. */
export const isWebAddress = (text: string) => /^https?:\/\/[^\s/]+\S*$/.test(text) && URL.canParse(text);
