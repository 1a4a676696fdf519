/** Characters that mean themselves in a regular expression only behind a backslash. */
const special = /[.*+?^${}()|[\]\\/-]/g;

const named: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

const literal = (text: string): string => text.replace(special, '\\$&');

const eitherCase = (hex: string): string =>
  hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);

const hexOf = (bytes: Buffer): string => eitherCase(bytes.toString('hex'));

/** One character of a secret, in every way that a URL, JSON, JavaScript or HTML may write it. */
function character(char: string): string {
  const bytes = Buffer.from(char, 'utf8');
  const code = char.codePointAt(0) ?? 0;
  const units = [...Array(char.length).keys()].map((index) => char.charCodeAt(index));
  const forms = [
    // A backslash may stand before any of these three, several where JSON lies inside JSON.
    `${/["/\\]/.test(char) ? '\\\\{0,8}' : ''}${literal(bytes.toString('latin1'))}`,
    // A URL in a URL is encoded twice; letters and digits are not even once.
    [...bytes]
      .map((byte) => `%${/[a-z\d]/i.test(char) ? '' : '(?:25){0,3}'}${hexOf(Buffer.of(byte))}`)
      .join(''),
    units.map((unit) => `\\\\{1,8}u${eitherCase(unit.toString(16).padStart(4, '0'))}`).join(''),
    `&#(?:0{0,6}${code}|[xX]0{0,6}${eitherCase(code.toString(16))});?`,
  ];
  if (code < 256) forms.push(`\\\\{1,8}x${eitherCase(code.toString(16).padStart(2, '0'))}`);
  const name = named[char];
  if (name !== undefined) forms.push(name);
  return `(?:${forms.join('|')})`;
}

const base64Char: Readonly<Record<string, string>> = {
  '+': '(?:[+-]|%2[bB])',
  '/': '(?:\\\\{0,8}/|_|%2[fF])',
};

/** The part of the base64 that does not depend on the neighbours, with `shift` unknown bytes before it. */
function base64(bytes: Buffer, shift: 0 | 1 | 2): string {
  const whole = Buffer.concat([Buffer.alloc(shift), bytes]);
  const firstSure = [0, 2, 3][shift];
  const core = whole.toString('base64').slice(firstSure, Math.floor((whole.length * 8) / 6));
  return core.replace(/[+/]/g, (char) => base64Char[char] ?? char);
}

/** In UTF-16 of either byte order, or as JSON of that: between any two Latin characters stands a NUL. */
const utf16 = (secret: string): string =>
  [...Buffer.from(secret, 'utf16le').toString('latin1').replace(/\0$/, '')]
    .map((char) => (char === '\0' ? '(?:\\0|\\\\{1,8}u0000)' : literal(char)))
    .join('');

/** Below this length, in characters, base64 and hex of a secret would be found by chance. */
const chance = 6;

/**
 * The source of a regular expression that finds a secret in bytes read as Latin-1: raw, escaped for
 * URL, JSON or HTML (mixed as they come), hex in either case, base64 and base64url in all alignments, UTF-16.
 */
export function secretPattern(secret: string): string {
  const bytes = Buffer.from(secret, 'utf8');
  const forms = [[...secret].map(character).join('')];
  if (secret.length >= chance) {
    forms.push(hexOf(bytes), base64(bytes, 0), base64(bytes, 1), base64(bytes, 2), utf16(secret));
  }
  return forms.join('|');
}
