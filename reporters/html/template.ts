import { oncePerObject } from '../../spec/once.ts';
import { htmlAttribute, htmlText, scriptJson } from '../escape.ts';

/** Markup that is safe to stand in a document: it can only be made by `html`. */
export class Html {
  readonly markup: string;
  constructor(markup: string) {
    this.markup = markup;
  }
}

export type Fill = string | number | Html | null | undefined | false | readonly Fill[];

function fill(value: Fill, safe: (text: string) => string): string {
  if (value === null || value === undefined || value === false) return '';
  if (value instanceof Html) return value.markup;
  if (typeof value === 'string') return safe(value);
  if (typeof value === 'number') return String(value);
  return value.map((part) => fill(part, safe)).join('');
}

/** For each hole of a template: whether it stands inside a tag, where it must be a quoted attribute value. */
const insideTag = oncePerObject((strings: TemplateStringsArray): readonly boolean[] => {
  let inside = false;
  return strings.map((literal) => {
    const [opened, closed] = [literal.lastIndexOf('<'), literal.lastIndexOf('>')];
    if (opened !== closed) inside = opened > closed;
    return inside;
  });
});

/** A template whose holes are escaped for where they stand. `Html` passes, lists are joined, null and false leave nothing. */
export function html(strings: TemplateStringsArray, ...values: readonly Fill[]): Html {
  const inside = insideTag(strings);
  let markup = strings[0] ?? '';
  values.forEach((value, at) => {
    markup += fill(value, inside[at] === true ? htmlAttribute : htmlText) + (strings[at + 1] ?? '');
  });
  return new Html(markup);
}

/** An attribute by itself, to stand in a tag; its name is one of ours. */
export const attribute = (name: string, value: string): Html =>
  new Html(` ${name}="${htmlAttribute(value)}"`);

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
