import { verdicts } from '../wording.ts';
import { unpacked } from './unpacked.fixture.ts';

const inline = new Set(['a', 'abbr', 'b', 'code', 'em', 'i', 'kbd', 'small', 'span', 'strong', 'wbr']);
const cells = new Set(['td', 'th']);

/**
 * The words of a document as a person meets them, for tests only: a line for each block, ` | ` before each cell
 * of a row, backticks about code and about the name of an exchange, guillemets about what is marked, and `{fail}` where the colour of a verdict begins. Entities stay as they are.
 */
export function textLines(markup: string): string[] {
  const whole = unpacked(markup);
  const body = /<body>(.*)<\/body>/s.exec(whole)?.[1] ?? whole;
  return body
    .replace(/<(script|style|svg|noscript)\b.*?<\/\1>|<!--.*?-->/gs, '')
    .replace(/<a href="#x%3A[^"]*">(.*?)<\/a>/g, '`$1`')
    .replace(/<(\/?)([a-z]\w*)([^>]*)>/g, (_, end: string, name: string, attributes: string) => {
      const classes = /class="([^"]*)"/.exec(attributes)?.[1]?.split(' ') ?? [];
      const tone = verdicts.find((verdict) => classes.includes(verdict));
      const mark = tone === undefined ? '' : `{${tone}}`;
      if (name === 'code') return '`';
      if (name === 'mark') return end === '' ? '«' : '»';
      if (cells.has(name)) return end === '' ? ` | ${mark}` : '';
      return inline.has(name) ? mark : `\n${mark}`;
    })
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
