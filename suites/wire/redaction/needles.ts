import { rotated } from './decoders/alphabets.ts';
import { unescaped } from './decoders/escapes.ts';
import type { Needle } from './gram-index.ts';
import { isMaskable } from './maskable.ts';

/** A secret with the label that stands in its place. */
export interface Labelled {
  readonly value: string;
  readonly label: string;
}

/** In a row, these may be words and numbers of ordinary text. */
const words = /[A-Z]?[a-z]{5,}|[A-Z]{6,}|\d{6,}/g;

/** Characters beside words from which on nobody writes a token by chance, not even half of it. */
const strangeEnough = 10;

/** Letters and digits, this many of them digits, from which on nobody writes all of a token by chance. */
const [longEnough, digitsEnough] = [12, 4];

/** What must stand there of a token that no text holds by chance. */
const mostOfIt = 0.6;

const signsOf = (value: string): string => value.replace(/[^A-Za-z0-9]/g, '');

const isRandom = (value: string): boolean => signsOf(value).replace(words, '').length >= strangeEnough;

const rot13 = (bytes: Buffer): Buffer => Buffer.from(bytes.map((byte) => rotated[byte] ?? 0));

/** Letters and digits alone, in lower case: forwards, backwards and in ROT13. */
export function foldedNeedles({ value, label }: Labelled): readonly Needle[] {
  const signs = signsOf(value);
  const isLong = signs.length >= longEnough && signs.replace(/\D/g, '').length >= digitsEnough;
  if (!isLong && !isRandom(value)) return [];
  const plain = Buffer.from(signs.toLowerCase());
  return [plain, Buffer.from(plain).reverse(), rot13(plain)].map((bytes) => ({
    label,
    bytes,
    share: isRandom(value) ? mostOfIt : 1,
  }));
}

/** What a secret with escapes in it reads as, for they are undone in all that is searched, and what it is in ROT13. */
const otherForms = (bytes: Buffer): readonly Buffer[] => {
  const steps = unescaped({ bytes, kind: 'text', place: (start, end) => [{ start, end }] }, true);
  return [...steps.map((view) => view.bytes), rot13(bytes)].filter((form) =>
    isMaskable(form.toString('utf8')),
  );
};

/** From this length on, in bytes, all but the last byte of a secret is no chance. */
export const longEnoughShort = 16;

/** The secret as it is, in those, and without its last byte: what follows it in base85 changes that. */
export function exactNeedles({ value, label }: Labelled): readonly Needle[] {
  const bytes = Buffer.from(value, 'utf8');
  const share = isRandom(value) ? mostOfIt : 1;
  const forms = [bytes, ...otherForms(bytes)];
  const shorter = forms.filter((form) => share === 1 && form.length >= longEnoughShort);
  return [...forms, ...shorter.map((form) => form.subarray(0, -1))].map((each) => ({
    label,
    bytes: each,
    share,
  }));
}
