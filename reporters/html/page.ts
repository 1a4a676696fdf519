import { createHash } from 'node:crypto';
import { present } from '../../spec/present.ts';
import { type Blocks, blocksIn, type Document } from '../document/blocks.ts';
import { scriptJson, visible } from '../escape.ts';
import { address, inline, printAll } from './print.ts';
import { packed, Html, html } from './template.ts';
import { script as ownScript } from './script.ts';
import { style } from './style.ts';

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
  readonly footer?: string | undefined;
  /** The one script that may run. */
  readonly script?: string | undefined;
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

/** The names of what stands in the parts, each a link; counts of what is wrong behind them. */
function contents(blocks: Blocks): Html | null {
  const lines = blocksIn('page', blocks).flatMap((block) => {
    if (block.kind === 'section')
      return [html`<li><a href="${address(block.id)}">${block.name}</a>${contents(block.blocks)}</li>`];
    if (block.kind !== 'fold' || block.name === undefined || block.id === undefined) return [];
    const { failed = 0 } = block;
    const wrong = failed > 0 && html` <b class="failed">${failed}<span class="sr"> failed</span></b>`;
    return [html`<li><a href="${address(block.id)}">${block.name}</a>${wrong}</li>`];
  });
  return lines.length === 0 ? null : html`<ol>${lines}</ol>`;
}

/** A document as one self-contained page; with its filters, unless another script is given. */
export function printPage(
  { title, printed, skip, head, parts, foot, data }: Document,
  more: Pick<Page, 'extraStyle' | 'script'> = {},
): string {
  const core =
    data !== undefined &&
    html`<script type="application/json" id="report-core">${new Html(scriptJson(data))}<\/script>`;
  const body = packed(html`<a class="skip" href="${address(skip.to)}">${skip.words}</a>
<div class="page"><header class="mast">${printAll(head)}</header><nav class="toc" aria-label="Contents">${contents(parts)}</nav><main id="main">${printAll(parts)}</main>
${foot !== undefined && html`<footer><p>${inline(foot)}</p></footer>`}</div>
${core}`);
  const isLooked = present(parts).some(({ kind }) => kind === 'filters');
  return renderPage({ title, body, footer: printed, script: isLooked ? ownScript : undefined, ...more });
}
