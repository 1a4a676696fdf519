import type picocolors from 'picocolors';
import { shorten, wrapText } from '../spec/text.ts';
import { isCommand, terminalBlock, terminalLine } from './escape.ts';

type Colours = ReturnType<typeof picocolors.createColors>;

/** How text is laid out on a terminal. */
export interface Layout {
  readonly colours: Colours;
  readonly width: number;
}

/** Characters of a text. */
export const longest = 400;

/** A colour for each verdict. */
export const verdictColours = ({ red, yellow, green, magenta, cyan, dim }: Colours) => ({
  pass: green,
  fail: red,
  inconclusive: yellow,
  untested: dim,
  observed: cyan,
  conflict: magenta,
});

/** The text on lines of the given width behind an indentation, its first line behind a label of that length. */
export function wrap({ width }: Layout, label: string, text: string): string[] {
  const clean = terminalLine(shorten(text, longest));
  const indent = ' '.repeat(label.length);
  const available = Math.max(20, width - label.length);
  return wrapText(clean, available).map(
    (one, at) => `${at === 0 ? label : indent}${isCommand(one) ? '·' : ''}${one}`,
  );
}

/** A command keeps its own lines, so that it can be copied. */
export const commandLines = (command: string): string[] =>
  terminalBlock(command)
    .split('\n')
    .map((line) => `    ${line}`);
