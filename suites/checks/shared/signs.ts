import type { Sign, SignName } from '../../../fixtures/payloads/payloads.ts';
import { misreadings } from './misreadings.ts';

/** Whether what stands between two words has the sign as it was asked for, whatever a model adds to it. */
const isKept: Readonly<Record<SignName, (between: string) => boolean>> = {
  'two blanks': (between) => /\s{2}/.test(between),
  emoji: (between) => between.includes('😀'),
  ampersand: (between) => /&(?![a-z#]\w*;)/i.test(between),
  'angle brackets': (between) => between.includes('<->'),
  'quotation mark': (between) => /(?<!\\)"/.test(between),
  'line break': (between) => /[\n\r\u0085\u2028\u2029]/.test(between),
  backslash: (between) => /(?<!\\)\\(?!\\)/.test(between),
};

/** An emoji in another encoding, or as half of one. No model writes so. */
const misreadEmoji = [...misreadings('😀'), /\p{Surrogate}/u];

/** How a sign came: as it is, or what came in its place. */
type Reading = 'kept' | { readonly as: string };

/** The most characters that stand between two words for one sign, however it is written. */
const longestBetween = 40;

/** Undefined where the text lacks the words around it. */
export function readSign(text: string, { name, before, after }: Sign): Reading | undefined {
  const around = new RegExp(`${before}([^]{1,${longestBetween}}?)${after}`, 'iu');
  const [, between] = around.exec(text.normalize('NFC')) ?? [];
  if (between === undefined) return undefined;
  return isKept[name](between) ? 'kept' : { as: between };
}

/** So many replies show that a sign is damaged by what no model writes. */
const enoughMisread = 3;
/**
 * So many replies of both kinds, in turn, show that one kind lacks what the other has: of a model that loses it in
 * half of its replies, at random, one run in 10,000 would have them all so by chance, of three protocols.
 */
export const enoughOfBoth = 8;

/** A sign that no reply of one kind has as it was asked for. */
export interface LostSign {
  readonly sign: Sign;
  /** What came in its place. */
  readonly as: string;
  /** `damaged` by the target; `open` as long as further replies may show so; else it may be the model. */
  readonly cause: 'damaged' | 'open' | 'model';
  /** The other kind has it, at least once. */
  readonly isSaid: boolean;
}

/**
 * The signs that all replies of one kind lack, of streams or of those without one. What the same request gets in the
 * other kind tells what the model says: nothing else differs between them.
 */
export const lostSigns = (
  signs: readonly Sign[],
  texts: readonly string[],
  others: readonly string[],
): readonly LostSign[] =>
  signs.flatMap((sign) => {
    const own = texts.flatMap((text) => readSign(text, sign) ?? []);
    const lost = own.flatMap((reading) => (reading === 'kept' ? [] : [reading.as]));
    const [as] = lost;
    if (as === undefined || lost.length < own.length) return [];
    const elsewhere = others.flatMap((text) => readSign(text, sign) ?? []);
    const isSaid = elsewhere.includes('kept');
    return [{ sign, as, isSaid, cause: causeOf(sign, lost, elsewhere) }];
  });

function causeOf({ name }: Sign, lost: readonly string[], elsewhere: readonly Reading[]): LostSign['cause'] {
  const isMisread = name === 'emoji' && lost.every((as) => misreadEmoji.some((misread) => misread.test(as)));
  if (isMisread) return lost.length < enoughMisread ? 'open' : 'damaged';
  const isPaired = elsewhere.length > 0 && elsewhere.every((reading) => reading === 'kept');
  if (!isPaired || new Set(lost).size > 1) return 'model';
  return Math.min(lost.length, elsewhere.length) < enoughOfBoth ? 'open' : 'damaged';
}
