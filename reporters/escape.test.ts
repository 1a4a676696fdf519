import { expect, test } from 'vitest';
import * as escape from './escape.ts';
import { hostile } from './sample.wire.fixture.ts';

const steering = /[\p{Cs}\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/u;

test('what steers a reader is named instead', () => {
  expect(escape.visible('a\u001b[31m\r\n\u202eb\ud800c\u007f')).toBe(
    'a‹ESC›[31m‹CR›\n‹U+202E›b‹U+D800›c‹U+007F›',
  );
});

test('words of any script and emoji stay as they are', () => {
  const text = 'مرحبا, שלום, 你好, e\u0301, 👩\u200d💻 🇨🇭\tand\nlines';
  expect(escape.visible(text)).toBe(text);
});

test('no format lets a control, an override or half a character through', () => {
  const formats = [
    escape.htmlText,
    escape.htmlAttribute,
    escape.xmlText,
    escape.xmlAttribute,
    escape.markdownText,
    escape.markdownCode,
    escape.terminalLine,
    escape.terminalBlock,
  ];
  for (const format of formats) expect(format(hostile), format.name).not.toMatch(steering);
});

test('an attribute cannot be left and a tag cannot be opened', () => {
  expect(escape.htmlAttribute(`"><b a='&`)).toBe('&quot;&gt;&lt;b a=&#39;&amp;');
  expect(escape.htmlText('<b>&amp;')).toBe('&lt;b&gt;&amp;amp;');
  expect(escape.xmlAttribute('a\n\tb')).toBe('a&#10;&#9;b');
  expect(escape.xmlText(']]>')).toBe(']]&gt;');
});

test('inline code is fenced by more backticks than it holds, and never ends a table cell', () => {
  expect(escape.markdownCode('a ``b`` | c\nd')).toBe('```a ``b`` \\| c‹LF›d```');
  expect(escape.markdownCode('`')).toBe('`` ` ``');
  expect(escape.markdownBlock('```\nx')).toBe('````\n```\nx\n````');
});

test('plain words in Markdown are no link, mention, heading or tag', () => {
  expect(escape.markdownText('# [a](https://b) @all <i> *c* | d')).toBe(
    '\\# \\[a\\](https:\\//b) @&#8203;all &lt;i&gt; \\*c\\* \\| d',
  );
});

test('JSON in a script cannot end it and reads back as it was', () => {
  const value = { text: `</script><!-- & \u2028 \ud800 ${hostile}` };
  const json = escape.scriptJson(value);
  expect(json).not.toMatch(/[<>&\u2028\u2029]/);
  expect(JSON.parse(json)).toEqual(value);
});
