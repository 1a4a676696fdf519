import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRedactor } from '../../suites/wire/redaction/redact.ts';

// What finds a token here decodes; what takes it out matches. They share nothing.

const latin1 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

/** Ways to undo an encoding, over bytes read as Latin-1. */
const decoders: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) =>
    text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
  (text) =>
    text.replace(/(?:\\u[0-9a-f]{4})+/gi, (run) =>
      latin1(run.replace(/\\u(....)/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))),
    ),
  (text) =>
    text.replace(/\\x([0-9a-f]{2})/gi, (_, hex: string) =>
      latin1(String.fromCharCode(Number.parseInt(hex, 16))),
    ),
  (text) => text.replace(/&#(\d{1,7});?/g, (_, code: string) => entity(Number(code))),
  (text) => text.replace(/&#x([0-9a-f]{1,6});?/gi, (_, hex: string) => entity(Number.parseInt(hex, 16))),
  (text) => text.replace(/\\(["\\/])/g, '$1'),
  (text) => text.replace(/(?:[0-9a-f]{2})+/gi, (hex) => Buffer.from(hex, 'hex').toString('latin1')),
  (text) =>
    text.replace(/[0-9a-f](?:[0-9a-f]{2})+/gi, (hex) => Buffer.from(hex.slice(1), 'hex').toString('latin1')),
  ...[0, 1, 2, 3].map(
    (shift) => (text: string) =>
      text.replace(/[A-Za-z0-9+/_-]{8,}/g, (run) =>
        Buffer.from(run.slice(shift), 'base64').toString('latin1'),
      ),
  ),
];
const entity = (code: number): string => (code <= 0x10ffff ? latin1(String.fromCodePoint(code)) : '');

const holds = (text: string, token: string): boolean =>
  decoders.some((decode) => decode(latin1(text)).includes(latin1(token)));

const units = (text: string): string =>
  [...Array(text.length).keys()]
    .map((at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`)
    .join('');
const points = (text: string, write: (code: number) => string): string =>
  [...text].map((char) => write(char.codePointAt(0) ?? 0)).join('');
const bytesAs = (text: string, write: (hex: string) => string): string =>
  [...Buffer.from(text)].map((byte) => write(byte.toString(16).padStart(2, '0'))).join('');

type Encode = (token: string, pad: string) => string;
const encodings: Readonly<Record<string, Encode>> = {
  raw: (token) => token,
  percent: (token) => bytesAs(token, (hex) => `%${hex}`),
  'percent in capitals': (token) => bytesAs(token, (hex) => `%${hex.toUpperCase()}`),
  'URL component': encodeURIComponent,
  'JSON escapes': units,
  JSON: (token) => JSON.stringify(token).slice(1, -1),
  hex: (token) => bytesAs(token, (hex) => hex),
  'hex in capitals': (token) => bytesAs(token, (hex) => hex.toUpperCase()),
  'HTML numbers': (token) => points(token, (code) => `&#${code};`),
  'HTML hex': (token) => points(token, (code) => `&#x${code.toString(16)};`),
  base64: (token, pad) => Buffer.from(`${pad}${token}:`).toString('base64'),
  base64url: (token, pad) => Buffer.from(`${pad}${token}:`).toString('base64url'),
  'character by character in turn': (token) =>
    [...token]
      .map(
        (char, at) =>
          [char, bytesAs(char, (hex) => `%${hex}`), units(char), `&#${char.codePointAt(0)};`][at % 4],
      )
      .join(''),
};

const letter = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~+/=');
const token = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: letter, minLength: 12, maxLength: 60 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme-ascii', minLength: 12, maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', minLength: 12, maxLength: 20 }) },
);
/** Text without a character that would run into an encoded token and change what it decodes to. */
const around = fc
  .string({ unit: 'grapheme', maxLength: 30 })
  .map((text) => text.replace(/[\w%&\\+/=#;-]/g, ''));
const pad = fc.string({ unit: letter, maxLength: 5 });

test.each(Object.entries(encodings))('no trace is left of a token written as %s', (name, encode) => {
  fc.assert(
    fc.property(token, around, around, pad, (secret, before, after, beside) => {
      const text = `${before} ${encode(secret, beside)} ${after}`;
      const redactor = createRedactor([{ value: secret, label: 'own' }]);
      const clean = redactor.text(text);
      // No single decoder undoes them all at once.
      if (name !== 'character by character in turn') expect(holds(text, secret)).toBe(true);
      expect(holds(clean, secret)).toBe(false);
      expect(clean).toContain('[redacted:own]');
      expect(holds(redactor.bytes(Buffer.from(text)).toString('utf8'), secret)).toBe(false);
      expect(redactor.leaks(clean)).toEqual([]);
    }),
    { numRuns: 40 },
  );
});

test('a token is found among others, however often and in however many encodings it stands', () => {
  const written = fc.array(fc.tuple(fc.nat(2), fc.constantFrom(...Object.values(encodings)), around, pad), {
    minLength: 1,
    maxLength: 6,
  });
  fc.assert(
    fc.property(fc.uniqueArray(token, { minLength: 3, maxLength: 3 }), written, (secrets, places) => {
      const redactor = createRedactor(secrets.map((value, at) => ({ value, label: `t${at}` })));
      const text = places
        .map(([at, encode, before, beside]) => `${before} ${encode(secrets[at] ?? '', beside)}`)
        .join(' ');
      const clean = redactor.text(text);
      for (const secret of secrets) expect(holds(clean, secret)).toBe(false);
    }),
    { numRuns: 60 },
  );
});

test('text without a token is left as it is', () => {
  const any = fc.string({
    unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
  });
  fc.assert(
    fc.property(
      token,
      fc.oneof(
        any,
        fc.jsonValue().map((value) => JSON.stringify(value)),
      ),
      (secret, text) => {
        fc.pre(!holds(text, secret));
        const redactor = createRedactor([{ value: secret, label: 'own' }]);
        const bytes = Buffer.from(text);
        expect(redactor.text(text)).toBe(text);
        expect(redactor.bytes(bytes)).toBe(bytes);
        expect(redactor.leaks(text)).toEqual([]);
      },
    ),
    { numRuns: 250 },
  );
});
