/** A strict reader of XML 1.0 as far as a report uses it, for tests: elements, attributes, text. */
export interface XmlNode {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlNode[];
  text: string;
}

const legal = /^[\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]*$/u;
const entity = /^&(?:amp|lt|gt|quot|#39|#10|#9);/;
const values: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  '#10': '\n',
  '#9': '\t',
};

function decode(text: string): string {
  if (text.includes('<')) throw new Error(`a bare < in ${text.slice(0, 60)}`);
  if (text.includes(']]>')) throw new Error('a bare ]]> in text');
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) {
    if (!entity.test(text.slice(at))) throw new Error(`a bare & at ${text.slice(at, at + 20)}`);
  }
  return text.replace(/&([^;]+);/g, (_, name: string) => values[name] ?? '');
}

function readTag(inside: string): { name: string; attributes: Record<string, string> } {
  const name = /^[A-Za-z]+/.exec(inside)?.[0] ?? '';
  const attributes: Record<string, string> = {};
  let rest = inside.slice(name.length);
  while (rest.trim() !== '') {
    const found = /^\s+([A-Za-z-]+)="([^"<]*)"/.exec(rest);
    if (found?.[1] === undefined || found[1] in attributes)
      throw new Error(`a bad attribute in <${inside.slice(0, 80)}`);
    attributes[found[1]] = decode(found[2] ?? '');
    rest = rest.slice(found[0].length);
  }
  return { name, attributes };
}

/** Parses a document. Throws where it is not well-formed. */
export function parseXml(document: string): XmlNode {
  if (!legal.test(document)) throw new Error('a character that XML 1.0 forbids');
  const root: XmlNode = { name: '', attributes: {}, children: [], text: '' };
  const stack = [root];
  const prolog = '<?xml version="1.0" encoding="UTF-8"?>';
  if (!document.startsWith(prolog)) throw new Error('no prolog');
  let at = prolog.length;
  while (at < document.length) {
    const top = stack.at(-1) ?? root;
    const open = document.indexOf('<', at);
    const end = open < 0 ? document.length : open;
    top.text += decode(document.slice(at, end));
    if (open < 0) break;
    // An attribute value holds no bare > here: the renderer escapes it.
    const close = document.indexOf('>', open);
    if (close < 0) throw new Error('a tag that never ends');
    const inside = document.slice(open + 1, close);
    if (inside.startsWith('/')) {
      if (stack.pop()?.name !== inside.slice(1))
        throw new Error(`</${inside.slice(1)}> closes another element`);
    } else {
      const node: XmlNode = { ...readTag(inside.replace(/\/$/, '')), children: [], text: '' };
      top.children.push(node);
      if (!inside.endsWith('/')) stack.push(node);
    }
    at = close + 1;
  }
  const only = root.children[0];
  if (stack.length !== 1 || root.children.length !== 1 || only === undefined)
    throw new Error('not one whole document');
  return only;
}
