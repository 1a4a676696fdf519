/** Whatever holds a digit may be an id or a date: it and what hangs on it differs each time, and is left out. */
export const withoutNumbers = (text: string): string =>
  text.replace(/[\p{L}\p{N}_-]+/gu, (word) => (/\p{N}/u.test(word) ? '' : word));
