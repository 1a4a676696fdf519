import { describe, expect, it } from 'vitest';
import { differencesOf } from './text-differences.ts';

const asked = 'Colon größer deck.  Plum 😀 cinder & earth\n"lieu" \\ мир <-> end';
const request = `Repeat this text exactly: ${asked}`;
const found = (reply: string, text = asked) => [...differencesOf(text, reply, request)].sort();

describe('a reply has no difference from the text that was asked for', () => {
  it.each([
    ['as it is', asked],
    ['with a full stop and white space at its end', `${asked}.\n`],
    ['in quotation marks', `“${asked}”`],
    ['behind words of the request', `Repeat this text exactly: ${asked}`],
    ['in composed and decomposed letters', asked.normalize('NFD')],
  ])('where it comes %s', (_, reply) => expect(found(reply)).toEqual([]));
});

describe('a difference of words', () => {
  const words = 'one two three four five six';
  it.each([
    ['of which nothing comes', 'I do not know.', ['unsaid']],
    ['of which the first is missing', 'two three four five six', ['lost']],
    ['of which the last is missing', 'one two three four five', ['lost']],
    ['of which some amid it are missing', 'one two five six', ['lost']],
    ['that ends amid a word', 'one two thr', ['lost']],
    ['that comes twice', `${words} ${words}`, ['doubled']],
    ['that comes twice without a blank', `${words}${words}`, ['doubled']],
    ['of which one comes twice', 'one two three three four five six', ['doubled']],
    ['of which the halves are swapped', 'four five six one two three', ['moved']],
    ['with another word in place of one', 'one two THIRD four five six', ['altered']],
    ['without its blanks', 'onetwothreefourfivesix', ['joined']],
    ['with a notice behind it', `${words}\n\nPowered by someone.`, ['added']],
    ['in capitals', words.toUpperCase(), ['case']],
  ])('is told of a text %s', (_, reply, differences) =>
    expect([...differencesOf(words, reply, `Repeat: ${words}`)]).toEqual(differences),
  );
});

describe('of two texts with words in common', () => {
  const [one, other] = ['HORST-67649-größer-ok', 'KICK-12345-größer-ok'];
  const foundIn = (reply: string) => [...differencesOf(one, reply, `${one} ${other}`, [other])];
  it.each([
    ['nothing came of one where all that is its own is missing', other, ['unsaid']],
    ['some of one is lost where the rest of it came', `HORST, ${other}`, ['lost']],
    ['nothing is missing where both came', `${one}, ${other}`, []],
    ['some of one is lost where nothing came of the other', 'HORST-67649-größer', ['lost']],
  ])('%s', (_, reply, differences) => expect(foundIn(reply)).toEqual(differences));
});

describe('a difference of letters', () => {
  it('is another encoding, where the bytes of a letter come as letters', () => {
    const latin1 = Buffer.from(asked).toString('latin1');
    expect(found(latin1)).toContain('misread');
    expect(found(asked.replace('größer', 'grÃ¶ÃŸer'))).toEqual(['altered', 'misread']);
  });

  it.each([
    ['an emoji', '😀'],
    ['letters', 'größer'],
    ['a letter', 'и'],
  ])('is bytes that are no character, where U+FFFD stands for %s', (_, letters) =>
    expect(found(asked.replace(letters, '\ufffd\ufffd'))).toContain('undecoded'),
  );

  it.each([
    ['ends the reply', 'Colon größer deck.  Plum \ufffd'],
    ['stands before it', `\ufffd ${asked}`],
    ['stands beside what came', asked.replace('cinder', 'cinder \ufffd')],
    ['stands in words of the model', `Note: \ufffd is not used. ${asked.replace('😀 ', '')}`],
  ])('is none of bytes where U+FFFD %s', (_, reply) => expect(found(reply)).not.toContain('undecoded'));

  it.each([
    ['a question mark', (text: string) => text.replace(/[öß]/g, '?')],
    ['nothing', (text: string) => text.replace(/[öß]/g, '')],
    ['an escape', (text: string) => text.replaceAll('ö', '\\u00f6')],
  ])('is an altered word where %s stands in its place, as a model may write', (_, damage) => {
    expect(found(damage(asked))).toContain('altered');
    expect(found(damage(asked))).not.toContain('misread');
  });
});

describe('a difference of signs', () => {
  it.each([
    ['emoji', asked.replace('😀', '')],
    ['ampersand', asked.replace('&', '&amp;')],
    ['two blanks', asked.replace('  ', ' ')],
    ['angle brackets', asked.replace('<->', '↔')],
    ['quotation mark', asked.replaceAll('"', '“')],
    ['line break', asked.replace('\n', ' ')],
    ['backslash', asked.replace('\\', '\\\\')],
  ])('is told of each: %s', (sign, reply) => expect(found(reply)).toContain(sign));
});

it('of a text of millions of words only the first are compared', () => {
  const endless = 'a '.repeat(3_000_000);
  expect([...differencesOf(endless, endless, '')]).toEqual([]);
  expect([...differencesOf('hello', `hello ${endless}`, 'a')]).toEqual([]);
});
