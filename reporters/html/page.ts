import { createHash } from 'node:crypto';
import { style } from './style.ts';
import { Html, html } from './template.ts';

const digest = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** What a document is made of. */
export interface Page {
  readonly title: string;
  readonly body: Html;
  /** Added to the style sheet that all documents share. */
  readonly extraStyle?: string;
  /** The one script that may run. */
  readonly script?: string;
}

/** A whole self-contained document: a strict policy, no network, and nothing but our own style and script. */
export function renderPage({ title, body, extraStyle = '', script }: Page): string {
  const sheet = style + extraStyle;
  const scripts = script === undefined ? "'none'" : digest(script);
  const policy = `default-src 'none'; style-src ${digest(sheet)}; script-src ${scripts}; img-src data:; base-uri 'none'; form-action 'none'`;
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="referrer" content="no-referrer"><title>${title}</title><style>${new Html(sheet)}</style></head><body>
${body}${script !== undefined && html`<script>${new Html(script)}</script>`}</body></html>
`.markup;
}
