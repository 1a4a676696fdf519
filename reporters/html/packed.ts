import { scriptJson } from '../escape.ts';
import { Html } from './template.ts';

/**
 * Recorded exchanges are alike: a page holds each line of them once, and what is folded as the numbers of its lines, which
 * the script puts together when it is opened. Lines are not cut where a token could be: who searches the file finds it.
 */

/** Comments stand for nothing else in a page: what a target sent has no angle brackets in it. */
const [begin, end] = ['<!--packed-->', '<!--/packed-->'];

/** What may be packed with others of its page. */
export const packable = ({ markup }: Html): Html => new Html(`${begin}${markup}${end}`);

/** A page with what is folded in it packed, and the lines behind it. */
export function packed({ markup }: Html): Html {
  const numbers = new Map<string, number>();
  const numberOf = (line: string): string => {
    const known = numbers.get(line) ?? numbers.size;
    numbers.set(line, known);
    return known.toString(36);
  };
  const [first = '', ...rest] = markup.split(begin);
  const parts = rest.map((part) => {
    const [inner = '', after = ''] = part.split(end);
    const lines = inner.split(/(?<=\n|[.!?] |<\/\w+>)/);
    return `<div data-packed="${lines.map(numberOf).join(' ')}"></div>${after}`;
  });
  if (parts.length === 0) return new Html(first);
  const note =
    '<noscript><p>Without scripts, recorded exchanges stay closed: report.json and evidence.jsonl have them.</p></noscript>';
  const table = `<script type="application/json" id="lines">${scriptJson([...numbers.keys()])}</script>\n`;
  return new Html([note, first, ...parts, table].join(''));
}
