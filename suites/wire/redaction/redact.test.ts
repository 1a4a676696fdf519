import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isMaskable } from './maskable.ts';
import { dense, encodings as forms } from './encodings.fixture.ts';
import { createRedactor } from './redact.ts';

const token = 'sk-Tok/en+"7é_0123456789';
const redactor = createRedactor([
  { value: token, label: 'default' },
  { value: 'q7xzk', label: 'short' },
]);

const hex = (text: string): string => Buffer.from(text).toString('hex');
const units = (text: string): string =>
  text.replace(/./gs, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);

const encodings: readonly (readonly [string, (text: string) => string])[] = [
  ['raw', (text) => text],
  ['percent-encoded', encodeURIComponent],
  ['percent-encoded, lower case', (text) => encodeURIComponent(text).toLowerCase().replace('tok', 'Tok')],
  ['percent-encoded whole', (text) => hex(text).replace(/../g, '%$&')],
  ['JSON', (text) => JSON.stringify(text)],
  ['JSON in JSON', (text) => JSON.stringify(JSON.stringify(text))],
  ['JSON with escaped slashes', (text) => JSON.stringify(text).replace('/', '\\/')],
  ['JSON, every character escaped', units],
  ['JSON, every character escaped in capitals', (text) => units(text).toUpperCase().replaceAll('\\U', '\\u')],
  ['hex', hex],
  ['hex in capitals', (text) => hex(text).toUpperCase()],
  ['HTML', (text) => text.replace('"', '&quot;')],
  ['HTML, numbers', (text) => text.replace(/./gs, (char) => `&#${char.charCodeAt(0)};`)],
  ['HTML, hex', (text) => text.replace(/./gs, (char) => `&#x${char.charCodeAt(0).toString(16)};`)],
  ...[0, 1, 2].flatMap((shift) =>
    (['base64', 'base64url'] as const).map(
      (kind) =>
        [
          `${kind} at ${shift}`,
          (text: string) => Buffer.from(`${'u'.repeat(shift)}${text}:p`).toString(kind),
        ] as const,
    ),
  ),
];

/** The middle of the encoded token: what no masked text may hold. */
const core = (encoded: string): string => encoded.slice(8, -8);

describe.each(encodings)('a token written as %s', (_name, encode) => {
  const encoded = encode(token);
  const text = `before ${encoded} after`;

  it('is found, taken out of text and masked in bytes of the same length', () => {
    expect(redactor.leaks(text)).toEqual(['default']);
    expect(redactor.leaks(Buffer.from(text))).toEqual(['default']);
    expect(redactor.text(text)).toMatch(/^before .{0,4}\[redacted:default\].{0,8} after$/);
    const masked = redactor.bytes(Buffer.from(text));
    expect(masked).toHaveLength(Buffer.byteLength(text));
    expect(masked.toString()).not.toContain(core(encoded));
    expect(masked.toString()).toMatch(/^before .*\*{8,}.* after$/);
    expect(redactor.leaks(masked)).toEqual([]);
  });
});

it.each([
  ['little', (bytes: Buffer) => bytes],
  ['big', (bytes: Buffer) => Buffer.from(bytes).swap16()],
])('masks a token in UTF-16 of %s endian', (_name, order) => {
  const masked = redactor.bytes(order(Buffer.from(`<${token}>`, 'utf16le')));
  expect(order(masked).toString('utf16le')).not.toContain(token.slice(1, -1));
  expect(redactor.text(JSON.stringify([...'abcdefgh'].join('\0')))).toContain('\\u0000');
  const ascii = createRedactor([{ value: 'abcdefgh', label: 'default' }]);
  expect(ascii.text(JSON.stringify([...'abcdefgh'].join('\0')))).toBe('"[redacted:default]"');
});

it('leaves everything else as it was', () => {
  const text = 'a lone \ud800 surrogate, sk-Tok, %41, \\u0041 and &#65;';
  expect(redactor.text(text)).toBe(text);
  expect(redactor.leaks(text)).toEqual([]);
  const bytes = Buffer.from([0xff, 0xfe, 0, 1]);
  expect(redactor.bytes(bytes)).toBe(bytes);
});

it('keeps JSON readable around a masked token', () => {
  const body = JSON.stringify({ error: `no such key ${token}`, units: 1 });
  expect(JSON.parse(redactor.bytes(Buffer.from(body)).toString())).toEqual({
    error: `no such key ${'*'.repeat(Buffer.byteLength(JSON.stringify(token)) - 2)}`,
    units: 1,
  });
});

describe('a token with escapes of its own', () => {
  const value = 'q7 "%00 xK\\u0041z9';

  it.each(encodings)('is masked written as %s', (_name, encode) => {
    const own = createRedactor([{ value, label: 'default' }]);
    expect(own.text(`before ${encode(value)} after`)).toContain('[redacted:default]');
    expect(own.leaks(`before ${encode(value)} after`)).toEqual(['default']);
  });
});

describe('a token that begins as the rest of an escape', () => {
  const own = (value: string) => createRedactor([{ value, label: 'default' }]);
  const cases = [
    ['nvapi-0123456789', '{"a":"x\\nvapi-0123456789 y"}'],
    ['nvapi-0123456789', '{"a":"x\\\\\\nvapi-0123456789 y"}'],
    ['b0123456789abcdef', '{"a":"x\\b0123456789abcdef"}'],
    ['e9abcdef0123456', '{"a":"x\\u00e9abcdef0123456"}'],
    ['00e9abcdef0123456', '{"a":"x\\u00e9abcdef0123456"}'],
    ['u00e9abcdef012345', '{"a":"x\\u00e9abcdef012345"}'],
  ] as const;

  it.each(cases)('%s is masked in %s with the escape, so that JSON stays JSON', (value, json) => {
    expect(JSON.parse(json).a).toMatch(/^x/);
    expect(JSON.parse(own(value).text(json)).a).toMatch(/^x.?\[redacted:default\]( y)?$/);
    const masked = own(value).bytes(Buffer.from(json));
    expect(masked).toHaveLength(Buffer.byteLength(json));
    expect(JSON.parse(masked.toString()).a).toMatch(/^x.?\*{15,}( y)?$/);
  });

  it('is masked alone behind a backslash that is meant', () => {
    const json = JSON.stringify({ a: '\\nvapi-0123456789' });
    expect(JSON.parse(own('nvapi-0123456789').text(json))).toEqual({ a: '\\[redacted:default]' });
  });
});

it('masks what is percent-encoded more than once', () => {
  const twice = encodeURIComponent(encodeURIComponent(encodeURIComponent(token)));
  expect(redactor.text(`http://a.test/?next=${twice}`)).toBe('http://a.test/?next=[redacted:default]');
});

it('masks a short token, also encoded', () => {
  expect(redactor.text('xq7xzkx')).toBe('x[redacted:short]x');
  expect(redactor.leaks(hex('q7xzk'))).toEqual(['short']);
  expect(redactor.leaks(Buffer.from('q7xzk').toString('base64'))).toEqual(['short']);
});

it('takes the longer of two tokens that begin alike, and names both', () => {
  const both = createRedactor([
    { value: 'secret-token', label: 'a' },
    { value: 'secret-token-two', label: 'b' },
  ]);
  expect(both.text('secret-token-two, secret-token')).toBe('[redacted:b], [redacted:a]');
  expect(both.leaks('secret-token-two')).toEqual(['a', 'b']);
});

it('masks the beginning of a token that the body breaks off in', () => {
  const cut = redactor.bytes(Buffer.from(`key: ${token.slice(0, 12)}`));
  expect(cut.toString()).toBe(`key: ${'*'.repeat(12)}`);
});

it('masks by the label that is given, and nothing where there are no secrets', () => {
  const labelled = createRedactor([{ value: 'hidden-value', label: 'secret' }]);
  expect(labelled.text('a hidden-value')).toBe('a [redacted:secret]');
  const empty = createRedactor([{ value: '', label: 'default' }]);
  expect([empty.text('abc'), empty.bytes(Buffer.from('abc')).toString(), empty.leaks('abc')]).toEqual([
    'abc',
    'abc',
    [],
  ]);
});

it('finds any token in any surroundings and any alignment', () => {
  const value = fc.string({ unit: 'grapheme-ascii', minLength: 8, maxLength: 40 });
  const around = fc.string({ maxLength: 20 });
  fc.assert(
    fc.property(value, around, around, (secret, before, after) => {
      fc.pre(isMaskable(secret));
      const own = createRedactor([{ value: secret, label: 'own' }]);
      for (const [, encode] of encodings.filter(([name]) => !/lower case|HTML$/.test(name))) {
        const bytes = Buffer.from(`${before}${encode(secret)}${after}`);
        expect(own.leaks(bytes)).toEqual(['own']);
        expect(own.leaks(own.bytes(bytes))).toEqual([]);
      }
    }),
    { numRuns: 100, seed: 3 },
  );
});

it('finds tokens of any length that begin alike', () => {
  const header = Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url');
  const long = ['a', 'b'].map((label) => ({ label, value: `${header}.${label.repeat(700)}` }));
  const own = createRedactor(long);
  for (const { label, value } of long) {
    expect(own.leaks(Buffer.from(`x${value}`).toString('base64'))).toEqual([label]);
    expect(own.text(`key ${value}!`)).toBe(`key [redacted:${label}]!`);
  }
  expect(own.leaks(header)).toEqual([]);
});

describe('a token that is no different from ordinary text', () => {
  const words = ['default', 'chat', 'a', 'true', '12345', '{"', 'third-party-client', 't1', 'beef', '2026'];

  it.each(words)('%s is left where it stands', (word) => {
    const own = createRedactor([{ value: word, label: 'default' }]);
    const text = JSON.stringify({ [word]: `chat default true 12345 ${word}`, n: 12345, t: true });
    expect(own.text(text)).toBe(text);
    expect(own.bytes(Buffer.from(text)).toString()).toBe(text);
    expect(own.leaks(text)).toEqual([]);
  });

  it('does not keep others from being masked', () => {
    const own = createRedactor([
      { value: 'chat', label: 'default' },
      { value: 'sk-a', label: 'coding-tool' },
    ]);
    expect(own.text('chat with sk-a')).toBe('chat with [redacted:coding-tool]');
  });

  const plain = [
    'tok-default',
    'tok-third-party-client',
    'sk-a',
    'key1',
    'sk-test',
    'default-token',
    'my-key',
  ];
  it.each(plain)('is not %s, however short', (word) => {
    expect(isMaskable(word)).toBe(true);
    expect(createRedactor([{ value: word, label: 'own' }]).text(`<${word}>`)).toBe('<[redacted:own]>');
  });
});

it.each(dense)('masks a word in %s, also where JSON escapes marks of it', (name) => {
  const value = 'my-own-secret-token';
  const own = createRedactor([{ value, label: 'own' }]);
  const text = JSON.stringify({ error: forms[name]?.(Buffer.from(value)) });
  expect(own.leaks(text), text).toEqual(['own']);
  expect(own.leaks(own.text(text))).toEqual([]);
});

describe.each(dense)('masks a token of four characters in %s', (name) => {
  const short = 'q7#k';
  const own = createRedactor([{ value: short, label: 'own' }]);
  const dense85 = (text: string): string => forms[name]?.(Buffer.from(text)) ?? '';

  it.each([
    ['in a sentence', `the key <${dense85(short)}> is unknown`],
    ['in a path', `/v1/${dense85(short)}/x`],
    ['in JSON', JSON.stringify({ error: { message: `no key ${dense85(short)}`, code: 401 } })],
    ['behind other text', JSON.stringify({ error: dense85(`no key ${short}`), code: 401 })],
    ['around base64', JSON.stringify({ error: dense85(Buffer.from(short).toString('base64')) })],
    ['around itself', JSON.stringify({ error: dense85(dense85(short)), code: 401 })],
    [
      'in escapes',
      JSON.stringify({ error: `no ${dense85(short).replace(/[\s\S]/g, (char) => `%${hex(char)}`)}` }),
    ],
  ])('%s', (_, text) => {
    expect(own.leaks(text), text).toEqual(['own']);
    expect(own.leaks(own.text(text))).toEqual([]);
    expect(own.leaks(own.bytes(Buffer.from(text)))).toEqual([]);
  });
});

it.each(['gzip in base64', 'zlib in base64', 'base64'])(
  'masks a token in %s that is a part of a path',
  (name) => {
    for (const value of ['q7#k', 'sk-A7f3q91c2d4e85b60Xz4']) {
      const own = createRedactor([{ value, label: 'own' }]);
      const text = `/v1/${forms[name]?.(Buffer.from(value))}/x`;
      expect(own.leaks(text), text).toEqual(['own']);
      expect(own.leaks(own.text(text))).toEqual([]);
    }
  },
);

it.each(['q7#kxy', 'my-key', 'T0k3n-9x'])('masks %s in hex in words of four bytes', (value) => {
  const own = createRedactor([{ value, label: 'own' }]);
  const words = hex(value).replace(/.{8}(?=.)/g, '$& ');
  for (const text of [words, `key ${words}.`, Buffer.from(words).toString('base64')])
    expect(own.leaks(text), text).toEqual(['own']);
});

describe('a token that a stream spells', () => {
  const value = 'sk-Spelled-0123456789';
  const own = createRedactor([{ value, label: 'own' }]);
  const masked = (body: string): string => own.bytes(Buffer.from(body)).toString();
  const parts = (text: string, size: number): string[] => text.match(new RegExp(`.{1,${size}}`, 'g')) ?? [];
  const events = (content: string): string =>
    `data: ${JSON.stringify({ id: 'c', choices: [{ index: 0, delta: { content } }] })}\n\n`;
  const contents = (body: string): string[] =>
    [...body.matchAll(/"content":"([^"]*)"/g)].map(([, text]) => text ?? '');

  it.each([1, 2, 5, 20])('in pieces of %i characters is masked, and nothing else is', (size) => {
    const shown = parts(`Your key is ${value}, thanks`, size);
    const hidden = parts(`Your key is ${'*'.repeat(value.length)}, thanks`, size);
    expect(masked(shown.map(events).join(''))).toBe(hidden.map(events).join(''));
  });

  it('is masked among other members, white space, escapes and keep-alives', () => {
    const body = parts(value, 3)
      .map((text) => `: ping "\ndata: { "type" : "d\\"x", "delta" :\t"${text}", "n":"" }\n\n`)
      .join('');
    expect(masked(body)).toBe(
      parts('*'.repeat(value.length), 3)
        .map((text) => `: ping "\ndata: { "type" : "d\\"x", "delta" :\t"${text}", "n":"" }\n\n`)
        .join(''),
    );
  });

  it('is masked over the parts of one document, and over bare strings', () => {
    const document = (text: string): string =>
      JSON.stringify({
        content: parts(text, 6).map((part) => ({ type: 'text', text: part })),
        all: parts(text, 4),
      });
    expect(masked(document(value))).toBe(document('*'.repeat(value.length)));
  });

  it('is masked as far as it came where the stream breaks off', () => {
    const body = parts(value.slice(0, 12), 1).map(events).join('');
    expect(contents(masked(body)).join('')).toBe('*'.repeat(12));
  });

  it('is masked at both ends of long strings', () => {
    const far = 'x'.repeat(100_000);
    const body = `${events(`${far}${value.slice(0, 9)}`)}${events(`${value.slice(9)}${far}`)}`;
    expect(contents(masked(body)).join('')).toBe(`${far}${'*'.repeat(value.length)}${far}`);
  });

  it('leaves a stream without it as it was', () => {
    const bytes = Buffer.from(parts('nothing to see here', 2).map(events).join(''));
    expect(own.bytes(bytes)).toBe(bytes);
  });
});

it('masks each compressed list of a body by itself, and no number beside them', () => {
  const value = 'sk-A7f3q91c2d4e85b60Xz4';
  const own = createRedactor([{ value, label: 'own' }]);
  const [one, two] = ['bad key ', 'no such key '].map((words) => [...gzipSync(words + value)]);
  const counts = [11, 22, 33, 44, 55, 66, 77, 88, 99];
  const body = Buffer.from(JSON.stringify({ one, two, counts }));
  const masked = JSON.parse(own.bytes(body).toString()) as Record<string, readonly number[]>;
  expect(masked.counts).toEqual(counts);
  for (const list of [masked.one, masked.two]) expect(list?.join('')).toMatch(/^1+$/);
});

it('a redactor names the tokens that are too short to be masked in every form, apart from those that it leaves', () => {
  const secrets = ['abc', 'q7#k', 'seven-7', 'eight--8'].map((value) => ({
    value,
    label: value,
  }));
  const { open, partly } = createRedactor(secrets);
  expect(open).toEqual(['abc']);
  expect(partly).toEqual(['q7#k', 'seven-7']);
});
