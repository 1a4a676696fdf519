/** The text without words that hold a digit: ids and dates differ each time. */
export const withoutNumbers = (text: string): string =>
  text.replace(/[\p{L}\p{N}_-]+/gu, (word) => (/\p{N}/u.test(word) ? '' : word));
