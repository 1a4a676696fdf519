import { inspect } from 'node:util';
import { deflateSync, gzipSync } from 'node:zlib';

// For tests: what writes a token in other characters. None of it is shared with what finds it.

/** Writes bytes as text. */
export type Encode = (bytes: Buffer) => string;

const each = (bytes: Buffer, write: (byte: number) => string, between = ''): string =>
  [...bytes].map(write).join(between);
const hex2 = (byte: number): string => byte.toString(16).padStart(2, '0');
const lines = (text: string, length: number): string =>
  (text.match(new RegExp(`.{1,${length}}`, 'gs')) ?? []).join('\n');

/** The bits of bytes in groups, by the letters of an alphabet. */
function inBits(bytes: Buffer, size: number, alphabet: string): string {
  const bits = each(bytes, (byte) => byte.toString(2).padStart(8, '0'));
  const groups = bits.match(new RegExp(`.{1,${size}}`, 'g')) ?? [];
  return groups.map((group) => alphabet[Number.parseInt(group.padEnd(size, '0'), 2)]).join('');
}

function inBase85(bytes: Buffer, alphabet: string): string {
  const missing = (4 - (bytes.length % 4)) % 4;
  const whole = Buffer.concat([bytes, Buffer.alloc(missing)]);
  const text = [...Array(whole.length / 4).keys()]
    .map((at) =>
      [4, 3, 2, 1, 0]
        .map((power) => alphabet[Math.floor(whole.readUInt32BE(at * 4) / 85 ** power) % 85])
        .join(''),
    )
    .join('');
  return text.slice(0, text.length - missing);
}

function uuencoded(bytes: Buffer): string {
  const char = (value: number): string => (value === 0 ? '`' : String.fromCharCode(value + 32));
  const chars = each(Buffer.from([...Array(64).keys()].map((value) => char(value).charCodeAt(0))), (byte) =>
    String.fromCharCode(byte),
  );
  return [...Array(Math.ceil(bytes.length / 45)).keys()]
    .map((at) => bytes.subarray(at * 45, (at + 1) * 45))
    .map(
      (line) =>
        char(line.length) +
        inBits(Buffer.concat([line, Buffer.alloc((3 - (line.length % 3)) % 3)]), 6, chars),
    )
    .join('\n');
}

/** As Python does. */
const rot13: Encode = (bytes) =>
  bytes.toString('latin1').replace(/[a-z]/gi, (char) => {
    const base = char < 'a' ? 65 : 97;
    return String.fromCharCode(((char.charCodeAt(0) - base + 13) % 26) + base);
  });

const utf7: Encode = (bytes) =>
  bytes
    .toString('latin1')
    .replace(/[+\\~]/g, (char) => ({ '+': '+-', '\\': '+AFw-', '~': '+AH4-' })[char] ?? '');

const wide = (bytes: Buffer): Buffer => Buffer.from(bytes.toString('latin1'), 'utf16le');
const ascii85 = String.fromCharCode(...[...Array(85).keys()].map((at) => at + 33));
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const digits = '0123456789';
const z85 = `${digits}${letters.toLowerCase()}${letters}.-:+=^!/*?&<>()[]{}@%$#`;
const rfc1924 = `${digits}${letters}${letters.toLowerCase()}!#$%&()*+-;<=>?@^_\`{|}~`;

/** A dump as Go and `hexdump -C` write it. */
const dump: Encode = (bytes) =>
  [...Array(Math.ceil(bytes.length / 16)).keys()]
    .map((at) => {
      const line = bytes.subarray(at * 16, (at + 1) * 16);
      const halves = [line.subarray(0, 8), line.subarray(8)].map((half) => each(half, hex2, ' '));
      return `${(at * 16).toString(16).padStart(8, '0')}  ${halves.join('  ')}  |${line.toString('latin1')}|`;
    })
    .join('\n');

/** What the standard libraries of Node, Python and Go write that can be written within one another. */
export const encodings: Readonly<Record<string, Encode>> = {
  hex: (bytes) => bytes.toString('hex'),
  'hex in capitals': (bytes) => bytes.toString('hex').toUpperCase(),
  'hex with spaces': (bytes) => each(bytes, hex2, ' '),
  'hex with colons': (bytes) => each(bytes, hex2, ':'),
  'hex in words of four bytes': (bytes) => bytes.toString('hex').replace(/.{8}(?=.)/g, '$& '),
  'code points, as Go writes them': (bytes) =>
    `[${each(bytes, (byte) => `U+00${hex2(byte).toUpperCase()}`, ' ')}]`,
  'a typed array of Node in JSON': (bytes) => JSON.stringify(new Uint8Array(bytes)),
  'hex, as Go writes slices': (bytes) => `[]byte{${each(bytes, (byte) => `0x${hex2(byte)}`, ', ')}}`,
  'a Buffer of Node': (bytes) => `<Buffer ${each(bytes, hex2, ' ')}>`,
  'a Buffer of Node in JSON': (bytes) => JSON.stringify(bytes),
  'a list of numbers': (bytes) => `[${each(bytes, String, ' ')}]`,
  'a list of octal numbers': (bytes) => each(bytes, (byte) => byte.toString(8).padStart(3, '0'), ' '),
  base64: (bytes) => bytes.toString('base64'),
  base64url: (bytes) => bytes.toString('base64url'),
  'base64 over lines of 76': (bytes) => lines(bytes.toString('base64'), 76),
  'base64 over lines of 20': (bytes) => lines(bytes.toString('base64'), 20),
  'base64 of UTF-16': (bytes) => wide(bytes).toString('base64'),
  'base64 of UTF-16, high byte first': (bytes) => wide(bytes).swap16().toString('base64'),
  base32: (bytes) => inBits(bytes, 5, `${letters}234567`),
  'base32 with the alphabet of hex': (bytes) => inBits(bytes, 5, `${digits}${letters.slice(0, 22)}`),
  'percent-encoding of every character': (bytes) => each(bytes, (byte) => `%${hex2(byte)}`),
  'percent-encoding': (bytes) => encodeURIComponent(bytes.toString('latin1')),
  'escapes of JSON': (bytes) => each(bytes, (byte) => `\\u00${hex2(byte)}`),
  'escapes of JavaScript': (bytes) => each(bytes, (byte) => `\\u{${byte.toString(16)}}`),
  'escapes of Python': (bytes) => each(bytes, (byte) => `\\U000000${hex2(byte)}`),
  'escapes of bytes': (bytes) => each(bytes, (byte) => `\\x${hex2(byte)}`),
  'octal escapes': (bytes) => each(bytes, (byte) => `\\${byte.toString(8).padStart(3, '0')}`),
  'short octal escapes': (bytes) => each(bytes, (byte) => `\\${byte.toString(8)}`),
  'references of HTML': (bytes) => each(bytes, (byte) => `&#${byte};`),
  'references of HTML in hex': (bytes) => each(bytes, (byte) => `&#x${byte.toString(16)};`),
  'quoted-printable': (bytes) => each(bytes, (byte) => `=${hex2(byte).toUpperCase()}`),
  ascii85: (bytes) => inBase85(bytes, ascii85),
  'base85 of RFC 1924': (bytes) => inBase85(bytes, rfc1924),
  'base85 of ZeroMQ': (bytes) => inBase85(bytes, z85),
  uuencoding: uuencoded,
  ROT13: rot13,
  'UTF-7': utf7,
  'a list of letters': (bytes) => JSON.stringify([...bytes.toString()]),
  'gzip in base64': (bytes) => gzipSync(bytes).toString('base64'),
  'zlib in base64': (bytes) => deflateSync(bytes).toString('base64'),
  'gzip in hex': (bytes) => gzipSync(bytes).toString('hex'),
  'gzip as a list of numbers': (bytes) => `[${each(gzipSync(bytes), String, ' ')}]`,
  'gzip as a Buffer of Node in JSON': (bytes) => JSON.stringify(gzipSync(bytes)),
};

/** Those whose characters are most of ASCII: a short token is not told from what stands beside it. */
export const dense = ['ascii85', 'base85 of RFC 1924', 'base85 of ZeroMQ', 'uuencoding'];

/** Encodings that are only undone around a token itself. */
export const outermost: Readonly<Record<string, Encode>> = {
  'a dump': dump,
  'a list of letters of Node': (bytes) => inspect([...bytes.toString()], { maxArrayLength: null }),
  'a list of binary numbers': (bytes) => each(bytes, (byte) => byte.toString(2), ' '),
  'quoted-printable over lines': (bytes) => lines(bytes.toString('latin1'), 12).replaceAll('\n', '=\r\n'),
};

/** Ways to write a token that no library has, but a person or a program that cuts and joins. */
export const disguises: Readonly<Record<string, (token: string) => string>> = {
  'in upper case': (token) => token.toUpperCase(),
  backwards: (token) => [...token].reverse().join(''),
  'with hyphens between': (token) => [...token].join('-'),
  'with spaces between': (token) => [...token].join(' '),
  'with zero-width spaces between': (token) => [...token].join('\u200b'),
  'with soft hyphens between': (token) => [...token].join('\u00ad'),
  'in groups of four': (token) => token.replace(/.{4}/g, '$& '),
  'without its last fifth': (token) => token.slice(0, Math.ceil(token.length * 0.8)),
};
