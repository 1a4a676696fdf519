import { describe, expect, it } from 'vitest';
import type { Sign, SignName } from '../../../fixtures/payloads/payloads.ts';
import { enoughOfBoth, lostSigns, readSign } from './signs.ts';

const signOf = (name: SignName): Sign => ({ name, before: 'heron', after: 'otter' });
const written: Readonly<Record<SignName, string>> = {
  'two blanks': '.  ',
  emoji: ' 😀 ',
  ampersand: ' & ',
  'angle brackets': ' <-> ',
  'quotation mark': ' "',
  'line break': '.\n',
  backslash: ' \\ ',
};
const names = Object.keys(written) as SignName[];
const around = (between: string) => `A heron${between}otter.`;
const times = (count: number, text: string): readonly string[] => Array(count).fill(text);

describe('a sign between two words', () => {
  it.each(names)('is read as it is: %s', (name) => {
    expect(readSign(around(written[name]), signOf(name))).toBe('kept');
    expect(readSign(around(written[name]).toUpperCase(), signOf(name))).toBe('kept');
    expect(readSign(around(`*${written[name]}*`), signOf(name))).toBe('kept');
    expect(readSign('Neither of them.', signOf(name))).toBeUndefined();
  });

  it.each<[SignName, string]>([
    ['two blanks', '. '],
    ['emoji', ' '],
    ['emoji', ' :-) '],
    ['ampersand', ' &amp; '],
    ['ampersand', ' and '],
    ['angle brackets', ' &lt;-&gt; '],
    ['angle brackets', ' ↔ '],
    ['quotation mark', ' “'],
    ['quotation mark', ' &quot;'],
    ['quotation mark', ' \\"'],
    ['line break', '. '],
    ['line break', '.\\n'],
    ['backslash', ' \\\\ '],
    ['backslash', '  '],
  ])('is not what came in its place: %s as %j', (name, as) => {
    expect(readSign(around(as), signOf(name))).toEqual({ as });
  });
});

describe('a sign that no reply of one kind has', () => {
  const causes = (name: SignName, texts: readonly string[], others: readonly string[]) =>
    lostSigns([signOf(name)], texts, others).map(({ cause }) => cause);
  const kept = around(written.backslash);
  const lost = around(' ');
  const all = enoughOfBoth;

  it('is damaged where enough replies lack it and enough of the other kind have it', () => {
    expect(causes('backslash', times(all, lost), times(all, kept))).toEqual(['damaged']);
    expect(causes('backslash', times(all - 1, lost), times(all, kept))).toEqual(['open']);
    expect(causes('backslash', times(all, lost), times(all - 1, kept))).toEqual(['open']);
  });

  it.each<[string, readonly string[], readonly string[]]>([
    ['the other kind lacks it as well', times(9, lost), times(9, lost)],
    ['the other kind lacks it once', times(9, lost), [...times(8, kept), lost]],
    ['it comes in different ways', [...times(8, lost), around(' / ')], times(9, kept)],
    ['there is no other reply', times(9, lost), []],
  ])('may be lost by the model where %s', (_, texts, others) => {
    expect(causes('backslash', texts, others)).toEqual(['model']);
  });

  it('is not lost where one reply has it, or none has the words around it', () => {
    expect(causes('backslash', [...times(8, lost), kept], times(9, kept))).toEqual([]);
    expect(causes('backslash', times(9, 'I do not know.'), times(9, kept))).toEqual([]);
  });

  it.each(['\ufffd', '\ufffd\ufffd', '\ufffd'.repeat(4), '\ud83d', 'ðŸ˜€', 'ð\u009f\u0098\u0080'])(
    'is damaged in three replies without any other where its bytes are read otherwise: %j',
    (as) => {
      const misread = around(` ${as} `);
      expect(causes('emoji', times(3, misread), [])).toEqual(['damaged']);
      expect(causes('emoji', times(3, misread), times(3, misread))).toEqual(['damaged']);
      expect(causes('emoji', times(2, misread), [])).toEqual(['open']);
      expect(causes('emoji', [...times(2, misread), around(' ')], [])).toEqual(['model']);
    },
  );
});
