import { expect, test } from 'vitest';
import * as escaping from './escape.ts';
import { hostile } from './sample.wire.fixture.ts';

const steering = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}\u202a-\u202e\u2066-\u2069]/u;

test('what steers a reader is named instead', () => {
  expect(escaping.visible('a\u001b[31m\r\n\u202eb\ud800c\u007f')).toBe(
    'a‹ESC›[31m‹CR›\n‹U+202E›b‹U+D800›c‹U+007F›',
  );
});

test('words of any script and emoji stay as they are', () => {
  const text = 'مرحبا, שלום, 你好, e\u0301, 👩\u200d💻 🇨🇭\tand\nlines';
  expect(escaping.visible(text)).toBe(text);
});

test('no format lets a control, an override or half a character through', () => {
  const formats = [
    escaping.htmlText,
    escaping.htmlAttribute,
    escaping.htmlText,
    escaping.xmlAttribute,
    escaping.markdownText,
    escaping.markdownCode,
    escaping.terminalLine,
    escaping.terminalBlock,
  ];
  for (const format of formats)
    expect(format(hostile).replaceAll('\n', ''), format.name).not.toMatch(steering);
});

test('an attribute cannot be left and a tag cannot be opened', () => {
  expect(escaping.htmlAttribute(`"><b a='&`)).toBe('&quot;&gt;&lt;b a=&#39;&amp;');
  expect(escaping.htmlText('<b>&amp;')).toBe('&lt;b&gt;&amp;amp;');
  expect(escaping.xmlAttribute('a\n\tb')).toBe('a&#10;&#9;b');
  expect(escaping.htmlText(']]>')).toBe(']]&gt;');
});

test('inline code is fenced by more backticks than it holds, and never ends a table cell', () => {
  expect(escaping.markdownCode('a ``b`` | c\nd')).toBe('```a ``b`` \\| c‹LF›d```');
  expect(escaping.markdownCode('a\\|<b>')).toBe('<code>a&#92;&#124;&#60;b&#62;</code>');
  expect(escaping.markdownCode('`')).toBe('`` ` ``');
  expect(escaping.markdownCode(' `a ')).toBe('`` `a ``');
  expect(escaping.markdownCode('a`')).toBe('`` a` ``');
  expect(escaping.markdownCode('a`b')).toBe('``a`b``');
  expect(escaping.markdownCode('  ')).toBe('');
  expect(escaping.markdownBlock('```\nx')).toBe('````\n```\nx\n````');
});

test('plain words in Markdown are no link, mention, heading or tag', () => {
  expect(escaping.markdownText('# [a](https://b) @all <i> *c* | d')).toBe(
    '\\# \\[a\\](https:\\//b) @&#8203;all &lt;i&gt; \\*c\\* \\| d',
  );
});

test('JSON in a script cannot end it and reads back as it was', () => {
  const value = { text: `</script><!-- & \u2028 \ud800 ${hostile}` };
  const json = escaping.scriptJson(value);
  expect(json).not.toMatch(/[<>&\u2028\u2029]/);
  expect(JSON.parse(json)).toEqual(value);
});
