import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { disguises, type Encode, encodings, outermost, dense } from '../encodings.fixture.ts';
import { goToken, writtenByGo } from '../go.fixture.ts';
import { createRedactor } from '../redact.ts';

/** Bytes that look random, the same in each run. */
const randomBytes = (length: number, seed: string): Buffer =>
  Buffer.concat(
    [...Array(Math.ceil(length / 64)).keys()].map((at) =>
      createHash('sha512').update(`${seed} ${at}`).digest(),
    ),
  ).subarray(0, length);

/** Tokens as gateways make them. */
const random: readonly string[] = [
  `sk-${randomBytes(24, 'key').toString('base64url')}`,
  randomBytes(16, 'hex').toString('hex'),
  `eyJ${randomBytes(60, 'head').toString('base64url')}.${randomBytes(200, 'claims').toString('base64url')}`,
];
/** Each with another character of its kind in every place, so that lists of numbers have the same lengths. */
const others = random.map((token) =>
  token.replace(/[0-9A-Za-z]/g, (char) => {
    const kind = ['0123456789', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abc', 'defghijklmnopqrstuvwxyz'].find((all) =>
      all.includes(char),
    );
    return kind?.[(kind.indexOf(char) + 1) % kind.length] ?? char;
  }),
);
const chosen = ['q7#k', 'my-own-secret-token'];

const inJson = (text: string): string => JSON.stringify({ error: { message: `no key ${text}`, code: 401 } });

/** As the whole text, in a sentence, and in JSON. */
const places = [(text: string) => text, (text: string) => `the key <${text}> is unknown`, inJson];

const redactors = new Map(
  [...random, ...chosen, goToken].map((value) => [value, createRedactor([{ value, label: 'own' }])]),
);

function expectMasked(token: string, text: string): string {
  const redactor = redactors.get(token) ?? createRedactor([]);
  const [clean, masked] = [redactor.text(text), redactor.bytes(Buffer.from(text)).toString('latin1')];
  expect(redactor.leaks(text), text).toEqual(['own']);
  expect(clean, text).not.toBe(text);
  expect(redactor.leaks(clean), clean).toEqual([]);
  expect(redactor.leaks(Buffer.from(masked, 'latin1')), masked).toEqual([]);
  expect(masked).toHaveLength(Buffer.byteLength(text));
  if (text.startsWith('{"error')) expect(() => JSON.parse(masked), masked).not.toThrow();
  return masked;
}

/**
 * How much of what tells one token from another still stands in the masked text; 0 where their forms differ in length.
 * A masked number is ones, so that a one tells nothing, and neither does what separates numbers.
 */
function restOf(text: string, other: string, masked: string): number {
  if (text.length !== other.length) return 0;
  const telling = [...text].flatMap((char, at) =>
    char === other[at] || /[\s,]/.test(char) ? [] : [{ char, at }],
  );
  return telling.filter(({ char, at }) => char !== '1' && masked[at] === char).length / telling.length;
}

const written: readonly [string, Encode][] = [
  ['as it is', (bytes) => bytes.toString('latin1')],
  ...Object.entries(encodings),
];

/** ROT13 is undone around what is written in a row of letters and digits, and around nothing else. */
const isUndone = (outer: string, inner: string): boolean =>
  outer !== 'ROT13' || /^hex( in capitals)?$|base(32|64)|^as it is$/.test(inner);

describe.each(Object.entries(encodings))('%s', (outerName, outer) => {
  it('of a token is masked wherever it stands', () => {
    for (const token of [...random, ...chosen])
      for (const place of places) expectMasked(token, place(outer(Buffer.from(token))));
  });

  it('of a token in any other is masked, and tells no more of it', () => {
    for (const [name, inner] of written.filter(([name]) => isUndone(outerName, name))) {
      const encode = (token: string): string => inJson(outer(Buffer.from(inner(Buffer.from(token)))));
      for (const token of chosen) expectMasked(token, encode(token));
      for (const [at, token] of random.entries()) {
        const masked = expectMasked(token, encode(token));
        // What is compressed has nothing in the same place, and base85 no character for one byte alone.
        if (/gzip|zlib/.test(name) || dense.includes(outerName)) continue;
        expect(restOf(encode(token), encode(others[at] ?? ''), masked), masked).toBeLessThan(0.2);
      }
    }
  });
});

describe.each(Object.entries(outermost))('%s', (_, encode) => {
  it('of a token is masked, and tells no more of it', () => {
    for (const [at, token] of random.entries())
      for (const place of places) {
        const [text, other] = [token, others[at] ?? ''].map((each) => place(encode(Buffer.from(each))));
        const masked = expectMasked(token, text ?? '');
        expect(restOf(text ?? '', other ?? '', masked), masked).toBeLessThan(0.2);
      }
  });
});

describe('Go writes a token', () => {
  it.each(writtenByGo)('by %s, and it is masked', (_, text) => {
    for (const place of places) expectMasked(goToken, place(text));
  });
});

describe.each(Object.entries(disguises))('a random token %s', (_, disguise) => {
  it('is masked in any encoding', () => {
    for (const [, encode] of written.filter(([name]) => name !== 'ROT13'))
      for (const token of random) expectMasked(token, inJson(encode(Buffer.from(disguise(token)))));
  });
});

describe('ordinary text', () => {
  it.each(['password', 'photosynthesis-of-plants', 'correct-horse', 'my secret'])(
    'is left as it is where a token is %s',
    (token) => {
      const redactor = createRedactor([{ value: token, label: 'own' }]);
      const text = 'A pass word; Photosynthesis of plants. Correct horses, MY SECRETS: my-secret, 70617373.';
      expect(redactor.text(text)).toBe(text);
    },
  );

  it('of random bytes in base64 is left as it is, also where a token is short', () => {
    const redactor = createRedactor([
      { value: 'key1', label: 'short' },
      { value: random[0] ?? '', label: 'random' },
    ]);
    for (let seed = 0; seed < 4; seed += 1) {
      const bytes = Buffer.from(randomBytes(1_000_000, `${seed}`).toString('base64'));
      expect(redactor.bytes(bytes)).toBe(bytes);
    }
  });
});
