import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { renderPage } from './page.ts';
import { prose } from '../document/blocks.ts';
import { inline } from './print.ts';
import { html } from './template.ts';

const body = html`<p>x</p>`;
const page = (change: Partial<Parameters<typeof renderPage>[0]> = {}): string =>
  renderPage({ title: 'a <b>', body, ...change });
const between = (text: string, start: string, end: string): string =>
  text.split(start)[1]?.split(end)[0] ?? '';
const policyOf = (text: string): string =>
  between(text, 'Content-Security-Policy" content="', '"').replaceAll('&#39;', "'");
const digest = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

test('a document allows its own style by its digest, and no script where it has none', () => {
  const text = page({ extraStyle: '.x{}\n' });
  const style = between(text, '<style>', '</style>');
  expect(style).toMatch(/\n\.x\{\}\n$/);
  expect(policyOf(text)).toBe(
    `default-src 'none'; style-src ${digest(style)}; script-src 'none'; img-src data:; base-uri 'none'; form-action 'none'`,
  );
  expect(text).toContain('<title>a &lt;b&gt;</title>');
  expect(text).toMatch(/<body>\n<p>x<\/p><\/body><\/html>\n$/);
});

test('a document allows its own script by its digest, and that one only', () => {
  const text = page({ script: "'<b>'" });
  expect(policyOf(text)).toContain(`; script-src ${digest("'<b>'")}; `);
  expect(text).toMatch(/<p>x<\/p><script>'<b>'<\/script><\/body>/);
});

test('the foot of a printed page is a string of CSS that nothing ends', () => {
  const foot = (footer: string): string =>
    between(page({ footer }), '@page{@bottom-left{content:', '}}\n</style>');
  expect(foot('A-z 0.9, 😀')).toBe('"A-z 0.9, \\1f600 "');
  expect(foot('"}</style>\\\n\u001b')).toBe('"\\22 \\7d \\3c \\2f style\\3e \\5c \\a \\2039 ESC\\203a "');
  expect(page().includes('@page{@bottom-left')).toBe(false);
});

test('words between backticks are code, and a backtick alone stays one', () => {
  expect(inline(prose('`a` and `<b>`')).markup).toBe('<code>a</code> and <code>&lt;b&gt;</code>');
  expect(inline(prose('one ` alone')).markup).toBe('one ` alone');
});
