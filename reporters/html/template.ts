import { htmlAttribute, htmlText } from '../escape.ts';

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
const holes = new WeakMap<TemplateStringsArray, readonly boolean[]>();

function insideTag(strings: TemplateStringsArray): readonly boolean[] {
  const known = holes.get(strings);
  if (known !== undefined) return known;
  let inside = false;
  const found = strings.map((literal) => {
    const [opened, closed] = [literal.lastIndexOf('<'), literal.lastIndexOf('>')];
    if (opened !== closed) inside = opened > closed;
    return inside;
  });
  holes.set(strings, found);
  return found;
}

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
