/** The beginning of a text, as a copy where it is cut: a slice would keep the whole text in memory. */
export const beginning = (text: string, chars: number): string =>
  text.length <= chars ? text : Buffer.from(text.slice(0, chars), 'utf16le').toString('utf16le');
