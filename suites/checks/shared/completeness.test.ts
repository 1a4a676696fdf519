import { describe, expect, it } from 'vitest';
import { carriedBy } from './completeness.ts';

const words = Array.from({ length: 40 }, (_, index) => `word${index}`);
const asked = words.join(' ');
const tokens = words.map((word) => `${word} `);
const carried = (pieces: readonly string[], reply = asked) => carriedBy(pieces, reply, asked);

describe('a stream of a text that the model repeats', () => {
  it.each([
    ['all of it', tokens],
    ['all of it, in other white space', [words.join('\n\n')]],
    [
      'all of it, without what the model said around it',
      tokens,
      `Of course! Here it is:\n\n${asked}\n\nAnything else?`,
    ],
    [
      'all of it, and more around it',
      ['Sure: ', ...tokens, 'That is all, and I am glad to help with whatever comes.'],
    ],
    [
      'all but a word, of a text that it does not repeat to the letter',
      tokens.toSpliced(7, 1),
      `${asked.replace('word3 ', '')}`,
    ],
    ['all of it, without the full stop at its end', tokens, `${asked}.`],
    ['all of it, in capitals and without a comma', [asked.toUpperCase()], asked.replace(' ', ', ')],
    ['all of it in another order, and more', [...tokens.toReversed(), 'There.']],
    ['something as long', [...tokens.slice(0, 20), ...tokens.slice(0, 20)]],
    ['something else, half as long', ['I repeat: '.repeat(15)]],
    ['as many letters, and other ones', [asked.replaceAll('word', 'term')]],
    [
      'a third of its letters, in capitals',
      words.flatMap((word, at) => (at % 3 ? [] : [word.toUpperCase()])),
    ],
    ['twice as much of other words', Array.from({ length: 80 }, (_, index) => `term${index} `)],
  ])('is whole where it carries %s', (_, pieces, reply = asked) => {
    expect(carried(pieces, reply)).toBe('whole');
  });

  it.each([
    ['its first half', tokens.slice(0, 20)],
    ['its last half', tokens.slice(20)],
    ['all but the last tenth', tokens.slice(0, 36)],
    ['all but a word in its middle', tokens.toSpliced(7, 1)],
    ['all but two words', tokens.toSpliced(7, 1).toSpliced(20, 1)],
    ['every other piece', tokens.filter((_, index) => index % 2 === 0)],
    ['its first third, in capitals', tokens.slice(0, 14).map((token) => token.toUpperCase())],
    ['its last third, in capitals', tokens.slice(26).map((token) => token.toUpperCase())],
    ['its first piece', tokens.slice(0, 1)],
    ['all but the first piece', tokens.slice(1)],
    ['all but the last piece', tokens.slice(0, -1)],
  ])('is a part where it carries %s', (_, pieces) => {
    expect(carried(pieces)).toBe('part');
  });

  it.each([
    ['each piece twice', tokens.flatMap((token) => [token, token])],
    ['all of it twice', [...tokens, ...tokens]],
    ['in each piece all before it', tokens.map((_, index) => tokens.slice(0, index + 1).join(''))],
  ])('is repeated where it carries %s', (_, pieces) => {
    expect(carried(pieces)).toBe('repeated');
  });

  it.each([
    ['swapped in pairs', tokens.map((_, index) => tokens[index ^ 1] ?? '')],
    ['from the last to the first', tokens.toReversed()],
  ])('is disordered where its pieces come %s', (_, pieces) => {
    expect(carried(pieces)).toBe('disordered');
  });

  it('runs words together where it carries them without the white space that the reply has', () => {
    expect(carried(words)).toBe('run together');
    expect(carried([asked.replaceAll(' ', '\u00a0')])).toBe('whole');
    expect(carried(words, words.join(''))).toBe('whole');
    expect(carried(tokens.map((token, at) => (at % 2 ? token : token.trim())))).toBe('whole');
  });

  it('is whole but for what was lost with an event that is wrong, and a part where more is', () => {
    expect(carriedBy(tokens.slice(0, -1), asked, asked, () => true)).toBe('whole');
    expect(carriedBy(tokens.slice(0, 20), asked, asked, () => true)).toBe('part');
  });

  it('loses letters in one place or in several, and asks whether those are explained', () => {
    const lost: (readonly string[] | null)[] = [];
    const losses = [
      tokens.slice(0, -1),
      tokens.slice(1),
      tokens.toSpliced(7, 1),
      tokens.toSpliced(7, 1).slice(1),
    ];
    for (const pieces of losses) carriedBy(pieces, asked, asked, (letters) => lost.push(letters) > 0);
    expect(lost.map((places) => places?.includes('word7'))).toEqual([false, false, true, undefined]);
    expect(lost[0]).toEqual(['word39']);
    expect(lost[1]).toContain('word0');
  });

  it.each([
    ['read byte by byte', (text: string) => Buffer.from(text).toString('latin1')],
    ['replaced', (text: string) => text.replace(/[^\p{ASCII}]/gu, '\uFFFD')],
    ['left out', (text: string) => text.replace(/[^\p{ASCII}]/gu, '')],
  ])('is garbled where its letters beyond ASCII are %s', (_, damage) => {
    const text = asked.replace('word5', 'größer').replace('word9', '数据');
    expect(carriedBy([damage(text)], text, text)).toBe('garbled');
    expect(carriedBy([damage(text)], damage(text), text)).toBe('whole');
    expect(carriedBy([text.toUpperCase()], text, text)).toBe('whole');
  });

  it('is not disordered where the reply is not what was asked for either', () => {
    expect(carriedBy(tokens.toReversed(), asked, `${asked} and more`)).toBe('whole');
  });

  it('is something else where it is short and does not stand in the reply', () => {
    expect(carried(['I would rather not.'])).toBe('other');
  });
});

describe('a stream of a text that the model did not repeat', () => {
  const reply = `I can not repeat that for you, since it looks like nonsense to me. ${'Ask me something else. '.repeat(6)}`;

  it.each([
    ['whole', 'half of it, as models now and then say less', reply.slice(0, reply.length / 2)],
    ['part', 'its beginning and no more', 'I can not repeat'],
    ['other', 'something else that is short', 'No.'],
  ] as const)('is %s where it carries %s', (is, _, text) => {
    expect(carried([text], reply)).toBe(is);
  });

  it('tells nothing where that is short', () => {
    expect(carried(['No'], 'No, never.')).toBe('whole');
  });
});
