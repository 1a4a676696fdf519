/** The one place where text of a target is made harmless for a format (design section 6), for every renderer. */

/** Characters that steer a reader: controls, surrogates, bidi marks, invisible ones and tags. Line feed and tab stay. */
const steering =
  /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** Names of the controls below U+0020; control pictures are missing in too many fonts. */
const controls =
  'NUL SOH STX ETX EOT ENQ ACK BEL BS TAB LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US'.split(
    ' ',
  );

function show(character: string): string {
  if (character === '\n' || character === '\t') return character;
  const code = character.codePointAt(0) ?? 0;
  return `‹${controls[code] ?? `U+${code.toString(16).toUpperCase().padStart(4, '0')}`}›`;
}

/** Not what most texts are made of, which does not steer. */
const unusual = /[^\t\n -~]/;

/** The text with everything that steers made visible, so that it is well-formed and legal in every format. */
export const visible = (text: string): string => (unusual.test(text) ? text.replace(steering, show) : text);

/** The same on one line, as for a terminal. */
export const terminalLine = (text: string): string =>
  visible(text).replaceAll('\n', '‹LF›').replaceAll('\t', ' ');

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text between tags of HTML, and of XML 1.0. */
export const htmlText = (text: string): string =>
  visible(text).replace(/[&<>]/g, (character) => entities[character] ?? '');

/** The value of a quoted attribute of HTML. */
export const htmlAttribute = (text: string): string =>
  visible(text).replace(/[&<>"']/g, (character) => entities[character] ?? '');

/** The value of a quoted attribute of XML 1.0; line breaks and tabs survive attribute normalisation. */
export const xmlAttribute = (text: string): string =>
  htmlAttribute(text).replaceAll('\n', '&#10;').replaceAll('\t', '&#9;');

/** Plain words in Markdown, also in a table cell: nothing is a tag, a link, a mention or a formula. */
export const markdownText = (text: string): string =>
  terminalLine(text)
    .replace(/[\\`*_[\]|~#!$]/g, '\\$&')
    .replace(/[&<>]/g, (character) => entities[character] ?? '')
    .replaceAll('://', ':\\//')
    .replaceAll('www.', 'www\\.')
    .replaceAll('@', '@&#8203;');

const longestRun = (text: string): number =>
  (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0);

/** Inline code whose every mark is a character reference: nothing in it is Markdown. */
const codeElement = (line: string): string =>
  `<code>${line.replace(/[!-/:-@[-`{-~]/g, (character) => `&#${character.charCodeAt(0)};`)}</code>`;

/** Inline code in Markdown, also in a table cell. */
export function markdownCode(text: string): string {
  const line = terminalLine(text).trim();
  if (line === '') return '';
  // Whether a backslash before an escaped pipe leaves it escaped is read both ways.
  if (line.includes('\\|')) return codeElement(line);
  const fence = '`'.repeat(longestRun(line) + 1);
  const pad = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  // A table cuts its cells before it reads code: a pipe is escaped even there, which only a table undoes.
  return `${fence}${pad}${line.replaceAll('|', '\\|')}${pad}${fence}`;
}

/** A fenced block of code in Markdown, on lines of its own. */
export function markdownBlock(text: string, language = ''): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}${language}\n${visible(text)}\n${fence}`;
}

/** Lines for a terminal, for text that is meant to be copied whole. */
export const terminalBlock = (text: string): string => visible(text);

/** Words that a CI runner would obey at the beginning of a line. */
export const isCommand = (line: string): boolean => /^\s*(::|##)/.test(line);

/** A UTF-16 code unit as the escape that JSON has for it. */
export const jsonEscape = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** JSON inside a `<script>` element: no tag, no comment and no line terminator can end it. */
export const scriptJson = (value: unknown): string =>
  JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, jsonEscape);
