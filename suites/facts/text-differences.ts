import {
  type SignName,
  signNames,
  type StyleDifference,
  type TextDifference,
} from '../types/text-differences.ts';

/** Whether what stands between two words has a sign, whatever else stands there. */
const hasSign: Readonly<Record<SignName, (between: string) => boolean>> = {
  'two blanks': (between) => /\s{2}/.test(between),
  emoji: (between) => /\p{Emoji_Presentation}/u.test(between),
  ampersand: (between) => /&(?![a-z#]\w*;)/i.test(between),
  'angle brackets': (between) => between.includes('<->'),
  'quotation mark': (between) => /(?<!\\)"/.test(between),
  'line break': (between) => /[\n\r\u0085\u2028\u2029]/.test(between),
  backslash: (between) => /(?<!\\)\\(?!\\)/.test(between),
};

interface Word {
  readonly text: string;
  readonly key: string;
  /** Where it begins and ends in its text. */
  readonly from: number;
  readonly to: number;
}

/** More words of a text are not compared: a target may send any number. */
const mostWords = 5000;

function wordsOf(text: string): readonly Word[] {
  const words: Word[] = [];
  for (const { 0: word, index: from } of text.matchAll(/\p{L}[\p{L}\p{M}]*|\p{N}+/gu)) {
    if (words.length === mostWords) break;
    words.push({ text: word, key: word.toLowerCase(), from, to: from + word.length });
  }
  return words;
}

/** For each word of a text the place of its like in the other, in the same order, or -1: as many as can be. */
function aligned(words: readonly Word[], others: readonly Word[]): readonly number[] {
  // As they mostly begin: what is alike need not be weighed.
  const alike = words.findIndex(({ key }, at) => key !== others[at]?.key);
  const first = alike < 0 ? words.length : alike;
  const rest = alignedRest(words.slice(first), others.slice(first));
  return [...words.slice(0, first).keys(), ...rest.map((place) => (place < 0 ? -1 : place + first))];
}

function alignedRest(words: readonly Word[], others: readonly Word[]): readonly number[] {
  const width = others.length + 1;
  const lengths = new Uint16Array((words.length + 1) * width);
  const lengthAt = (at: number, other: number): number => lengths[at * width + other] ?? 0;
  for (let at = words.length - 1; at >= 0; at -= 1)
    for (let other = others.length - 1; other >= 0; other -= 1)
      lengths[at * width + other] =
        words[at]?.key === others[other]?.key
          ? lengthAt(at + 1, other + 1) + 1
          : Math.max(lengthAt(at + 1, other), lengthAt(at, other + 1));
  const places = words.map(() => -1);
  for (let at = 0, other = 0; at < words.length && other < others.length; ) {
    if (words[at]?.key === others[other]?.key) {
      places[at] = other;
      at += 1;
      other += 1;
    } else if (lengthAt(at + 1, other) >= lengthAt(at, other + 1)) at += 1;
    else other += 1;
  }
  return places;
}

/** The bytes from 0x80 to 0x9f in Windows-1252; Node 20 decodes them as Latin-1. */
const windows1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** What a word reads like where its UTF-8 is taken for another encoding. */
function misreadings(word: string): readonly string[] {
  const latin1 = Buffer.from(word).toString('latin1');
  const asWindows = (control: string): string => windows1252[control.charCodeAt(0) - 0x80] ?? control;
  return [latin1, latin1.replace(/[\u0080-\u009f]/g, asWindows)];
}

const isBeyondAscii = (text: string): boolean => /[^\p{ASCII}]/u.test(text);

const isMisread = (text: string, words: readonly Word[]): boolean =>
  words
    .filter(({ text: word }) => isBeyondAscii(word))
    .some(({ text: word }) => misreadings(word).some((misread) => text.includes(misread)));

/** What a decoder writes for bytes that are no character. */
const replacement = '\ufffd';

/** Whether that stands between two words that came, where letters or signs beyond ASCII were asked for. */
function isUndecoded(asked: Aligned, said: Aligned, places: readonly number[]): boolean {
  if (!said.text.includes(replacement)) return false;
  const came = asked.words.flatMap((word, at) => {
    const other = said.words[places[at] ?? -1];
    return other === undefined ? [] : [{ word, other }];
  });
  return came.slice(1).some(({ word, other }, at) => {
    const before = came[at];
    return (
      before !== undefined &&
      isBeyondAscii(asked.text.slice(before.word.to, word.from)) &&
      said.text.slice(before.other.to, other.from).includes(replacement)
    );
  });
}

/** Whether a reply to a request for a text may differ from it in one way: what the text lacks, no reply can lose. */
export function mayDiffer(asked: string, difference: TextDifference): boolean {
  if (difference === 'case') return /\p{Lu}/u.test(asked);
  if (difference === 'misread' || difference === 'undecoded') return /[^\p{ASCII}]/u.test(asked);
  return !isSign(difference) || hasSign[difference](asked);
}

const isSign = (difference: TextDifference): difference is SignName =>
  signNames.some((sign) => sign === difference);

const lettersOf = (words: readonly Word[]): string => words.map(({ key }) => key).join('');

interface Aligned {
  readonly text: string;
  readonly words: readonly Word[];
}

/** Of words that follow each other in both texts: how they are written, and the signs between them. */
function styleOf(asked: Aligned, said: Aligned, places: readonly number[]): readonly StyleDifference[] {
  return asked.words.flatMap((word, at): readonly StyleDifference[] => {
    const other = said.words[places[at] ?? -1];
    if (other === undefined) return [];
    const written: readonly StyleDifference[] = other.text === word.text ? [] : ['case'];
    const [before, otherBefore] = [asked.words[at - 1], said.words[places[at - 1] ?? -1]];
    if (before === undefined || otherBefore === undefined) return written;
    const [between, otherBetween] = [
      asked.text.slice(before.to, word.from),
      said.text.slice(otherBefore.to, other.from),
    ];
    const lost = signNames.filter((sign) => hasSign[sign](between) && !hasSign[sign](otherBetween));
    return [...written, ...lost];
  });
}

/** How a reply differs from a text that was asked for, word by word. `others`: texts beside it, whose words may be there, too. */
export function differencesOf(
  asked: string,
  reply: string,
  request: string,
  others: readonly string[] = [],
): ReadonlySet<TextDifference> {
  const [text, answer] = [asked.normalize('NFC'), reply.normalize('NFC')];
  const [words, said] = [wordsOf(text), wordsOf(answer)];
  const places = aligned(words, said);
  const own = new Set(words.map(({ key }) => key));
  const taken = new Set(places);
  const lost = words.filter((_, at) => places[at] === -1);
  const rest = said.filter((_, at) => !taken.has(at));
  const keysIn = (texts: readonly string[]): ReadonlySet<string> =>
    new Set(texts.flatMap((each) => wordsOf(each.normalize('NFC')).map(({ key }) => key)));
  // Most replies say nothing else, and requests are long.
  const [known, shared] = rest.length === 0 ? [own, new Set<string>()] : [keysIn([request]), keysIn(others)];
  const lostKeys = new Set(lost.map(({ key }) => key));
  const [wanted, came] = [
    { text, words },
    { text: answer, words: said },
  ];
  const found = new Set<TextDifference>(styleOf(wanted, came, places));
  if (isMisread(answer, lost)) found.add('misread');
  if (isUndecoded(wanted, came, places)) found.add('undecoded');
  const isStrange = rest.some((word) => !known.has(word.key) && !isCutFrom(word, said, lost));
  if (lost.length > 0) found.add(lossOf(words, said, { lost, rest, shared, isStrange }));
  else if (rest.some(({ key }) => !known.has(key) && !isJoint(key, known))) found.add('added');
  const isDoubled = ({ key }: Word): boolean => own.has(key) && !lostKeys.has(key) && !shared.has(key);
  if (rest.some(isDoubled)) found.add('doubled');
  return found;
}

/** Whether it is the last word of a reply, and the beginning of one that was asked for: the reply ends amid it. */
const isCutFrom = (word: Word, said: readonly Word[], lost: readonly Word[]): boolean =>
  word === said.at(-1) && lost.some(({ key }) => key.startsWith(word.key));

/** Whether a word is two of the request in one, as where a text comes twice. */
const isJoint = (key: string, known: ReadonlySet<string>): boolean =>
  Array.from({ length: key.length - 1 }, (_, at) => at + 1).some(
    (at) => known.has(key.slice(0, at)) && known.has(key.slice(at)),
  );

/** What became of words that are not where they were asked for. */
function lossOf(
  words: readonly Word[],
  said: readonly Word[],
  {
    lost,
    rest,
    shared,
    isStrange,
  }: {
    readonly lost: readonly Word[];
    readonly rest: readonly Word[];
    readonly shared: ReadonlySet<string>;
    readonly isStrange: boolean;
  },
): TextDifference {
  if (lettersOf(said).includes(lettersOf(words))) return 'joined';
  if (lost.every(({ key }) => rest.some((other) => other.key === key))) return 'moved';
  // What other texts have, too, may have come with them.
  if (words.every((word) => lost.includes(word) || shared.has(word.key))) return 'unsaid';
  return isStrange ? 'altered' : 'lost';
}
