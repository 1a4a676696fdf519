import { count, shorten } from '../../spec/text.ts';
import { present } from '../../spec/present.ts';
import { htmlText, markdownBlock, markdownCode, markdownText, terminalLine } from '../escape.ts';
import { verdictSign, verdictWord } from '../wording.ts';
import { blocksIn, ofKind, plain, together } from './blocks.ts';
import type { Block, BlockOf, Document, Inline, Blocks } from './blocks.ts';

/** Prints blocks as Markdown. It knows nothing of what they tell. */

/** Characters of a text and of a command; rows of a table, entries and items of a list that are shown. */
const [longestText, longestCommand, mostRows, mostEntries, mostItems] = [240, 2_500, 1_000, 40, 40];

const cut = (text: string): string => shorten(text, longestText);
const words = (text: string): string => markdownText(cut(text));
const codeOf = (of: Inline): string => markdownCode(cut(plain(of)));

/** A run of text as Markdown, each plain part of it cut. */
function inline(of: Inline): string {
  if (of === null || of === undefined || of === false) return '';
  if (typeof of !== 'object') return words(String(of));
  if ('map' in of) return of.map(inline).join('');
  if (of.is === 'code' || of.is === 'mark') return markdownCode(cut(of.text));
  if (of.is === 'strong' || of.is === 'tone') return `**${inline(of.of)}**`;
  if (of.is === 'badge') return `${verdictSign[of.tone]} ${words(of.word ?? verdictWord[of.tone])}`;
  if (of.is === 'line') return '<br>';
  return of.is === 'folded' ? words(of.summary) : inline(of.of);
}

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** A table; cells are escaped by who makes them. */
export const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(heads), row(heads.map(() => '---')), ...rows.map(row)].join('\n');

/** The first rows as a table, and how many more there are. */
function cutTable(heads: readonly string[], rows: readonly (readonly string[])[], most: number): string[] {
  const rest = rows.length - most;
  return [table(heads, rows.slice(0, most)), ...(rest > 0 ? [`and ${rest} more.`] : [])];
}

/** The line of a tag is HTML, not Markdown. */
const fold = (summary: string, body: string): string =>
  `<details><summary>${htmlText(terminalLine(cut(summary))).replaceAll('@', '@&#8203;')}</summary>\n\n${body}\n\n</details>`;

const command = (text: string): string =>
  text.length > longestCommand
    ? `The command has ${count(text.length, 'character')}; report.html has it.`
    : markdownBlock(text, 'sh');

function causeParts(block: BlockOf<'cause'>): string[] {
  const { tone, title, explains, expected, actual, counts, command: text, ofCommand, entries, more } = block;
  const names = [
    ...entries.map(
      ({ id, rate, expected }) =>
        `${markdownCode(id)}${rate === undefined ? '' : `, ${words(rate)}`}${expected === undefined ? '' : ' (expected)'}`,
    ),
    ...more.map(({ id }) => markdownCode(id)),
  ];
  const due = expected === undefined ? '' : `<br>Expected: ${codeOf(expected)}`;
  const parts = present([
    `### ${verdictSign[tone]} ${inline(title)}`,
    `Explains ${markdownText(explains)}.`,
    text !== undefined && counts && command(text),
    actual !== undefined && `Came: ${codeOf(actual)}${due}`,
    text !== undefined && counts && !!ofCommand && inline(ofCommand),
    names.length > 0 && fold(count(names.length, 'requirement'), names.join('; ')),
  ]);
  return [parts.join('\n\n')];
}

function entryParts(entries: readonly BlockOf<'entry'>[]): string[] {
  const rows = entries.map(({ tone, id, title, meta, rate, findings: [finding], reason, expected }) => [
    `${verdictWord[tone]}${expected === undefined ? '' : ', expected'}`,
    `${words(plain(title))} ${markdownCode(id)} ${[...meta, rate].filter(Boolean).map(inline).join(', ')}`,
    codeOf(finding?.actual ?? reason),
    codeOf(finding?.expected),
  ]);
  const commands = entries.flatMap(({ id, title, findings }) => {
    const found = findings.find((one) => one.command !== undefined);
    if (found?.command === undefined) return [];
    const where = found.place === undefined ? '' : `, at ${codeOf(found.place)}`;
    const message = inline(found.message).replace(/[.]$/, '');
    return [fold(id, `${words(plain(title))} ${message}${where}.\n\n${command(found.command)}`)];
  });
  return [
    ...cutTable(['Verdict', 'What', 'Came', 'Expected'], rows, mostEntries),
    ...(commands.length > 0 ? ['### Commands to reproduce', ...commands] : []),
  ];
}

function readingsParts(entries: readonly BlockOf<'readings'>[]): string[] {
  const rows = entries.map(({ id, where, readings, held, followed }) => [
    `${words(where)} ${markdownCode(id)}`,
    ...readings.map(({ text }) => words(plain(text))),
    words(held),
    `**${words(followed)}**`,
  ]);
  return [table(['Where', 'Reading A', 'Reading B', 'Judged by', 'The target'], rows)];
}

function matrixParts({ heads, columns, rows }: BlockOf<'matrix'>): string[] {
  const names = columns.flatMap(({ title, parts }) =>
    parts.map((part) => words(parts.length === 1 ? title : `${title}, ${part}`)),
  );
  const lines = rows.map(({ group, name, squares }) => [
    words(group),
    words(name),
    ...squares.map((one) => {
      if (one === null) return '';
      const [should, ...is] = one.words;
      return `${verdictSign[one.tone]} ${words(`${is.join('; ')} (${should})`)}`;
    }),
  ]);
  return [table([...heads.map(words), ...names], lines)];
}

function listParts(title: Inline, items: readonly Inline[]): string[] {
  const rest = items.length - mostItems;
  const lines = items.slice(0, mostItems).map((item) => `- ${inline(item)}`);
  const heading = plain(title) === '' ? [] : [`**${inline(title)} (${items.length})**`];
  return [...heading, [...lines, ...(rest > 0 ? [`- and ${rest} more`] : [])].join('\n')];
}

function sectionParts({ tone, title, blocks }: BlockOf<'section'>): string[] {
  const sign = tone === undefined ? '' : `${verdictSign[tone]} `;
  const [first = '', ...rest] = parts(blocks);
  return [`## ${sign}${inline(title)}\n\n${first}`.trimEnd(), ...rest];
}

/** How each kind of block is printed; those that only a page has are not. */
const printers: { readonly [Kind in Block['kind']]?: (block: BlockOf<Kind>) => string[] } = {
  verdict: ({ tone, word, subject, lead, reasons, covers }) => [
    `# ${verdictSign[tone]} ${words(word)}: ${words(subject)}`,
    // Its numbers add up only as a whole.
    [markdownText(plain(lead)), ...reasons.slice(0, 10).map(inline)].join(' '),
    ...(covers === undefined ? [] : [inline(covers)]),
  ],
  title: ({ text }) => [`# ${words(text)}`],
  section: sectionParts,
  paragraph: ({ text }) => [inline(text)],
  list: ({ title, items }) => (items.length === 0 ? [] : listParts(title, items)),
  facts: ({ facts }) => [
    present(facts)
      .map(([name, value]) => `**${words(name)}** ${inline(value)}`)
      .join(' · '),
  ],
  table: ({ heads, rows }) => {
    const lines = rows.map(({ cells }) => cells.map(({ of }) => inline(of)));
    return cutTable(heads.map(inline), lines, mostRows);
  },
  matrix: matrixParts,
  command: ({ text }) => [command(text)],
  fold: ({ summary, blocks }) => [fold(plain(summary), parts(blocks).join('\n\n'))],
  cause: causeParts,
  columns: ({ blocks }) => parts(blocks),
};

function groupParts(blocks: readonly Block[]): string[] {
  if (blocks[0]?.kind === 'entry') return entryParts(ofKind('entry', blocks));
  if (blocks[0]?.kind === 'readings') return readingsParts(ofKind('readings', blocks));
  return blocks.flatMap((block) => printers[block.kind]?.(block as never) ?? []);
}

const parts = (blocks: Blocks): string[] => together(blocksIn('summary', blocks)).flatMap(groupParts);

/** A bound on a summary, and where a reader finds what it leaves out. */
interface Limit {
  readonly bytes: number;
  readonly rest: string;
}

/** Joins what fits, in order, and says what did not. */
function join(named: readonly { readonly name: string; readonly text: string }[], { bytes, rest }: Limit) {
  const available = bytes - 1_000;
  const kept: string[] = [];
  const dropped = new Set<string>();
  let used = 0;
  for (const { text, name } of named) {
    const size = Buffer.byteLength(text) + 2;
    if (used + size > available) dropped.add(name);
    else {
      kept.push(text);
      used += size;
    }
  }
  const note = `> This summary is cut at ${bytes / 1000} KB. Omitted, in whole or in part: ${[...dropped].join(', ')}. ${rest}`;
  return `${[...kept, ...(dropped.size > 0 ? [note] : [])].join('\n\n')}\n`;
}

/** The document as Markdown; where it would be longer than its limit, it says what was left out. */
export function printMarkdown(
  { head, parts: body }: Document,
  limit: Limit = { bytes: Number.POSITIVE_INFINITY, rest: '' },
): string {
  const named = present([...head, ...body]).flatMap((block) =>
    parts([block]).map((text) => ({ name: block.kind === 'section' ? block.name : 'the head', text })),
  );
  return join(
    named.filter(({ text }) => text !== ''),
    limit,
  );
}
