import { textLines } from '../html/text-lines.fixture.ts';
import { inline, printAll } from '../html/print.ts';
import type { Block, Document, RecordedPart } from './blocks.ts';
import { printMarkdown } from './markdown.ts';
import { printTerminal } from './terminal.ts';

/** Blocks as each printer has them; for tests only. */

const documentOf = (head: readonly Block[]): Document => ({
  title: 't',
  skip: { to: 's', words: 'w' },
  head,
  parts: [],
});

export const markupOf = (...blocks: readonly Block[]): string =>
  printAll(blocks)
    .map(({ markup }) => markup)
    .join('');

/** A recorded text in one piece, with what is behind a line in it. */
export const bodyMarkup = (parts: readonly RecordedPart[]): string =>
  parts.map(({ text }) => inline(text).markup).join('');

export const linesOf = (...blocks: readonly Block[]): string[] => textLines(markupOf(...blocks));

export const markdownOf = (...blocks: readonly Block[]): string => printMarkdown(documentOf(blocks));

export const terminalOf = (...blocks: readonly Block[]): string[] => printTerminal(documentOf(blocks), false);
