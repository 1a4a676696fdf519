import { createHash } from 'node:crypto';
import { visible } from '../escape.ts';
import { style } from './style.ts';
import { Html, html } from './template.ts';

const digest = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** A text as a string of CSS: whatever could end it, or the style element, as its number. */
const cssString = (text: string): string =>
  `"${visible(text).replace(/[^A-Za-z0-9 .,-]/gu, (character) => `\\${character.codePointAt(0)?.toString(16)} `)}"`;

/** What a document is made of. */
export interface Page {
  readonly title: string;
  readonly body: Html;
  /** Added to the style sheet that all documents share. */
  readonly extraStyle?: string;
  /** The footer of each printed page. */
  readonly footer?: string;
  /** The one script that may run. */
  readonly script?: string;
}

/** A whole self-contained document: a strict policy, no network, and nothing but our own style and script. */
export function renderPage({ title, body, extraStyle = '', footer, script }: Page): string {
  const footerRule = footer === undefined ? '' : `@page{@bottom-left{content:${cssString(footer)}}}\n`;
  const sheet = style + extraStyle + footerRule;
  const scripts = script === undefined ? "'none'" : digest(script);
  const policy = `default-src 'none'; style-src ${digest(sheet)}; script-src ${scripts}; img-src data:; base-uri 'none'; form-action 'none'`;
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="referrer" content="no-referrer"><title>${title}</title><style>${new Html(sheet)}</style></head><body>
${body}${script !== undefined && html`<script>${new Html(script)}<\/script>`}</body></html>
`.markup;
}
