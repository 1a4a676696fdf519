/** The bytes from 0x80 to 0x9f in Windows-1252; Node 20 decodes them as Latin-1. */
const windows1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

const asWindows1252 = (latin1: string): string =>
  latin1.replace(/[\u0080-\u009f]/g, (control) => windows1252[control.charCodeAt(0) - 0x80] ?? control);

/** What a text reads like where its UTF-8 is taken for another encoding, or it comes in another one itself. */
export function misreadings(text: string): readonly RegExp[] {
  const latin1 = Buffer.from(text).toString('latin1');
  return [latin1, asWindows1252(latin1), text.replace(/[^\p{ASCII}]+/gu, '\ufffd+')].map(
    (pattern) => new RegExp(pattern, 'u'),
  );
}
