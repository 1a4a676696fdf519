import picocolors from 'picocolors';
import { present } from '../../spec/present.ts';
import { count, firstOf, shorten, wrapText } from '../../spec/text.ts';
import { isCommand, terminalBlock, terminalLine } from '../escape.ts';
import { verdictSign, verdictWord } from '../wording.ts';
import { blocksIn, ofKind, plain, together } from './blocks.ts';
import type { Block, BlockOf, Fact, Document, Inline, Blocks } from './blocks.ts';

/** Prints blocks for a terminal, to be read in ten seconds. It knows nothing of what they tell. */

type Colours = ReturnType<typeof picocolors.createColors>;

/** How text is laid out on a terminal. */
export interface Layout {
  readonly colours: Colours;
  readonly width: number;
}

/** Characters of a text and of any command but the first. */
const [longest, longestCommand] = [600, 1_500];
/** Causes that are named, those with what shows them, entries in full, entries listed, items, ids of a list. */
const [mostCauses, mostDetailed, mostFull, mostListed, mostItems, mostNames, mostRows, mostTitled] = [
  12, 6, 8, 32, 8, 6, 200, 20,
];

const verdictColours = ({ red, yellow, green, magenta, cyan, dim }: Colours) => ({
  pass: green,
  fail: red,
  inconclusive: yellow,
  untested: dim,
  observed: cyan,
  conflict: magenta,
});

/** The words as somebody would write them by hand. */
const written = (of: Inline): string => plain(of, '`');

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

const more = (rest: number): string[] =>
  rest > 0 ? [`  and ${count(rest, 'more', 'more')} in the report`] : [];

/** A command; a long one only where it is the first, for others can be copied from the page. */
function reproduce({ colours }: Layout, indent: string, text: string | undefined, isFirst = true): string[] {
  if (text === undefined) return [];
  if (!isFirst && text.length > longestCommand)
    return [
      `${indent}${colours.dim('sent')} by a command of ${count(text.length, 'character')}, in the report`,
    ];
  return [`${indent}${colours.dim('sent')}`, ...commandLines(text)];
}

const signed = ({ colours }: Layout, tone: BlockOf<'verdict'>['tone']): string =>
  verdictColours(colours)[tone](verdictSign[tone]);

function inInk({ colours }: Layout, of: Inline): string {
  if (of === null || typeof of !== 'object' || 'map' in of || of.is !== 'badge') return plain(of);
  return verdictColours(colours)[of.tone](terminalLine(of.word ?? verdictWord[of.tone]));
}

function verdictLines(layout: Layout, block: BlockOf<'verdict'>): string[] {
  const { colours } = layout;
  const { tone, word, subject, lead, asked, reasons, tally } = block;
  const head = verdictColours(colours)[tone](colours.bold(`${verdictSign[tone]} ${terminalLine(word)}`));
  return [
    `${head}  ${terminalLine(subject).slice(0, longest)}`,
    ...wrap(layout, '  ', [plain(lead), asked].filter(Boolean).join(' ')),
    ...reasons.slice(0, 6).flatMap((reason) => wrap(layout, '  ', plain(reason))),
    ...(tally === undefined ? [] : [`  ${tally.map((one) => inInk(layout, one)).join(', ')}`, '']),
  ];
}

function causeName(layout: Layout, { tone, title, places, explains }: BlockOf<'cause'>, number: number) {
  const behind = [places.join(', '), `(${explains})`].filter(Boolean).join(' ');
  const text = `${number}. ${shorten(written(title), longest - behind.length - 8)} ${behind}`;
  const [first = '', ...rest] = wrap(layout, '  ', text);
  return [`${signed(layout, tone)} ${layout.colours.bold(first.slice(2))}`, ...rest];
}

function causeDetail(layout: Layout, cause: BlockOf<'cause'>, number: number, isFirst: boolean): string[] {
  const { shownBy, expected, actual, command, ofCommand, entries, more: others } = cause;
  const ids = [
    ...entries.map(({ id, rate }) => (rate === undefined ? id : `${id} (${rate})`)),
    ...others.map(({ id }) => id),
  ];
  const shown = plain(shownBy);
  const [first = '', ...rest] = [
    ...reproduce(layout, '   ', command, isFirst),
    ...(actual === undefined ? [] : wrap(layout, '   came     ', actual)),
    ...(expected === undefined ? [] : wrap(layout, '   expected ', written(expected))),
    ...(command === undefined || ofCommand === undefined ? [] : wrap(layout, '   ', written(ofCommand))),
    ...wrap(layout, '   ', shown === '' ? 'shown by no single reply' : `shown by ${shown}`),
    ...wrap(layout, '   explains ', firstOf(ids, mostNames)),
  ];
  return [`${number}.${first.slice(`${number}.`.length)}`, ...rest, ''];
}

/** All causes by name, then the first of them with what shows them. */
function causeLines(layout: Layout, causes: readonly BlockOf<'cause'>[]): string[] {
  const numbered = causes.map((cause, at) => ({ cause, number: at + 1 }));
  const detailed = numbered.filter(({ cause }) => cause.counts).slice(0, mostDetailed);
  return [
    '',
    ...numbered.slice(0, mostCauses).flatMap(({ cause, number }) => causeName(layout, cause, number)),
    ...more(causes.length - mostCauses),
    '',
    ...detailed.flatMap(({ cause, number }, at) => causeDetail(layout, cause, number, at === 0)),
  ];
}

const entryHead = (layout: Layout, { id, tone, meta }: BlockOf<'entry'>): string =>
  `${signed(layout, tone)} ${layout.colours.bold(terminalLine(id))} ${layout.colours.dim(terminalLine(meta.map((one) => plain(one)).join(', ')))}`;

const rateLines = (layout: Layout, { rate }: BlockOf<'entry'>): string[] =>
  rate === undefined ? [] : wrap(layout, '  runs     ', rate);

const sameLines = (layout: Layout, { same }: BlockOf<'entry'>): string[] =>
  same.length === 0 ? [] : wrap(layout, '  same for ', firstOf(same, mostNames));

function entryLines(layout: Layout, entry: BlockOf<'entry'>, isFirst: boolean): string[] {
  const { tone, title, findings, reason } = entry;
  const [finding] = findings;
  const head = [entryHead(layout, entry), ...wrap(layout, '  ', written(title)), ...rateLines(layout, entry)];
  const others = sameLines(layout, entry);
  if (finding === undefined)
    return [...head, ...wrap(layout, '  ', reason ?? 'no finding recorded'), ...others, ''];
  const { message, expected, actual, place, command } = finding;
  return [
    ...head,
    ...wrap(layout, tone === 'fail' ? '  failure  ' : '  reason   ', written(message)),
    ...reproduce(layout, '  ', command, isFirst),
    ...wrap(layout, '  came     ', `${actual}${place === undefined ? '' : ` (at ${place})`}`),
    ...wrap(layout, '  expected ', written(expected)),
    ...others,
    '',
  ];
}

/** The first entries in full, more by name and why, and how many there are beyond. */
function entriesLines(layout: Layout, entries: readonly BlockOf<'entry'>[]): string[] {
  const listed = entries.slice(mostFull, mostFull + mostListed);
  return [
    ...entries.slice(0, mostFull).flatMap((entry, at) => entryLines(layout, entry, at === 0)),
    ...listed.flatMap((entry) => [
      entryHead(layout, entry),
      ...wrap(layout, '  ', entry.reason ?? written(entry.title)),
      ...rateLines(layout, entry),
      ...sameLines(layout, entry),
    ]),
    ...(listed.length > 0 ? [''] : []),
    ...more(entries.length - mostFull - mostListed),
  ];
}

/** Each row as its first cell, with the others under it behind their heads. */
function tableLines(layout: Layout, { heads, rows }: BlockOf<'table'>): string[] {
  const rest = rows.length - mostRows;
  return [
    ...rows.slice(0, mostRows).flatMap(({ cells: [first, ...others] }) => {
      const told = others.flatMap(({ of }, at) =>
        plain(of) === '' ? [] : [`${plain(heads[at + 1]).toLowerCase()} ${plain(of)}`],
      );
      return [...wrap(layout, '  ', plain(first?.of)), ...wrap(layout, '    ', told.join(', '))];
    }),
    ...(rest > 0 ? [`  and ${rest} more`] : []),
  ];
}

function listLines(layout: Layout, { title, tone, items }: BlockOf<'list'>): string[] {
  const [most, indent] = title === undefined ? [mostItems, '  '] : [mostTitled, '    '];
  const head = `${tone === undefined ? '' : `${verdictSign[tone]} `}${terminalLine(plain(title))} (${items.length})`;
  return [
    ...(title === undefined
      ? []
      : [`  ${tone === undefined ? head : verdictColours(layout.colours)[tone](head)}`]),
    ...items.slice(0, most).flatMap((item) => wrap(layout, indent, plain(item))),
    ...(items.length > most ? [`${indent}and ${items.length - most} more in the report`] : []),
  ];
}

function sectionLines(layout: Layout, { tone, title, blocks }: BlockOf<'section'>): string[] {
  const sign = tone === undefined ? '' : `${signed(layout, tone)} `;
  const [first = '', ...rest] = wrap(layout, sign === '' ? '' : '  ', plain(title));
  const lines = printLines(layout, blocks);
  return [`${sign}${first.trimStart()}`, ...rest, ...lines, ...(lines.at(-1) === '' ? [] : [''])];
}

function factLines(layout: Layout, { facts }: BlockOf<'facts'>): string[] {
  const lineOf = ([name, value]: Fact) => wrap(layout, `  ${terminalLine(name)}  `, plain(value));
  return [...present(facts).flatMap(lineOf), ''];
}

/** How each kind of block is printed; those that only longer forms have are not. */
const printers: { readonly [Kind in Block['kind']]?: (layout: Layout, block: BlockOf<Kind>) => string[] } = {
  ...{ verdict: verdictLines, section: sectionLines, facts: factLines, list: listLines, table: tableLines },
  title: (_, { text }) => [terminalLine(text)],
  paragraph: (layout, { text }) => wrap(layout, '  ', plain(text)),
  readings: (layout, { where, brief }) => wrap(layout, '  ', `${where}: ${plain(brief)}`),
  command: (_, { text }) => commandLines(text),
  fold: (layout, { summary }) => wrap(layout, '  ', plain(summary)),
  columns: (layout, { blocks }) => printLines(layout, blocks),
};

const printLines = (layout: Layout, blocks: Blocks): string[] =>
  together(blocksIn('glance', blocks)).flatMap((group) => {
    if (group[0]?.kind === 'cause') return causeLines(layout, ofKind('cause', group));
    if (group[0]?.kind === 'entry') return entriesLines(layout, ofKind('entry', group));
    return group.flatMap((block) => printers[block.kind]?.(layout, block as never) ?? []);
  });

export const printTerminal = ({ head, parts }: Document, colour: boolean, width = 100): string[] =>
  printLines({ colours: picocolors.createColors(colour), width }, [...head, ...parts]);
