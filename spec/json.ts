/** An object of JSON whose members are not checked yet. */
export type JsonObject = { readonly [key: string]: unknown };

/** A value as the text of a file: indented by two, with a line break at its end. */
export const jsonText = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

/** A text as it stands within a string of JSON. */
export const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/** Whether a value is an object of JSON: neither null nor an array. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Characters of a text that are written at once. */
const pieceChars = 1_000_000;

const escaped = /["\\\p{Cc}\p{Surrogate}]/u;

/** A string as JSON in pieces, none of which ends within a surrogate pair. */
function* stringPieces(text: string): Generator<string> {
  yield '"';
  for (let at = 0; at < text.length; ) {
    const end = at + pieceChars;
    const isSplit = /[\uD800-\uDBFF]/.test(text.charAt(end - 1));
    const piece = text.slice(at, isSplit ? end - 1 : end);
    // A slice takes no memory.
    yield escaped.test(piece) ? JSON.stringify(piece).slice(1, -1) : piece;
    at += piece.length;
  }
  yield '"';
}

function* jsonPieces(value: unknown): Generator<string> {
  if (typeof value === 'string') yield* stringPieces(value);
  else if (isObject(value)) {
    let before = '{';
    for (const [name, inner] of Object.entries(value)) {
      yield `${before}${JSON.stringify(name)}:`;
      yield* jsonPieces(inner);
      before = ',';
    }
    yield before === '{' ? '{}' : '}';
  } else yield JSON.stringify(value);
}

/** Whether a text is a parsed value as JSON without white space; a long one is not written as a whole for that. */
export function isJsonOf(value: unknown, text: string): boolean {
  if (text.length < pieceChars) return JSON.stringify(value) === text;
  let at = 0;
  for (const piece of jsonPieces(value)) {
    if (!text.startsWith(piece, at)) return false;
    at += piece.length;
  }
  return at === text.length;
}
