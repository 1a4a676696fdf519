import { expect, test } from 'vitest';
import { hostile } from '../sample.wire.fixture.ts';
import {
  badge,
  type Block,
  code,
  link,
  list,
  paragraph,
  prose,
  row,
  section,
  small,
  strong,
  table,
} from './blocks.ts';
import { linesOf, markdownOf, markupOf, terminalOf } from './printed.fixture.ts';

/** A command keeps its own lines; those of a curl have no break of a target. */
const line = hostile.replaceAll('\n', ' ');

const finding = {
  kind: 'finding',
  tone: 'fail',
  what: hostile,
  message: hostile,
  expected: hostile,
  actual: hostile,
  place: hostile,
  command: line,
  blocks: [],
} as const;
const entry = {
  kind: 'entry',
  id: hostile,
  tone: 'fail',
  title: prose(hostile),
  meta: [hostile],
  tags: { text: hostile },
  open: true,
  notes: [['Why', hostile]],
  findings: [finding],
  reason: hostile,
  rate: hostile,
  same: [hostile],
  expected: hostile,
  blocks: [
    { kind: 'recorded', title: hostile, parts: [{ text: { is: 'mark', text: hostile, whole: false } }] },
  ],
} as const;

/** Each kind of block, with a text in each place that tries to act. */
const everyKind: Readonly<Record<Block['kind'], Block>> = {
  verdict: {
    kind: 'verdict',
    tone: 'fail',
    over: hostile,
    subject: hostile,
    word: hostile,
    lead: hostile,
    reasons: [hostile],
    tally: [badge('fail', hostile)],
    covers: hostile,
  },
  title: { kind: 'title', over: hostile, text: hostile },
  section: section([hostile, hostile, hostile], [paragraph(hostile, 'quiet')], { tone: 'fail' }),
  paragraph: paragraph([code(hostile), strong(hostile), small(hostile), link(hostile, hostile)], 'see'),
  list: list([hostile, { is: 'folded', summary: hostile, lines: [hostile] }], { title: hostile }),
  facts: { kind: 'facts', facts: [[hostile, hostile]] },
  table: table([hostile, 'rows'], [hostile], [{ id: hostile, ...row(hostile) }]),
  matrix: {
    kind: 'matrix',
    label: hostile,
    heads: [hostile, hostile],
    columns: [{ title: hostile, parts: [hostile] }],
    rows: [
      {
        group: hostile,
        name: hostile,
        squares: [{ tone: 'fail', words: [hostile], why: hostile, to: hostile }],
      },
    ],
    key: [['fail', hostile]],
  },
  command: { kind: 'command', text: line },
  fold: { kind: 'fold', summary: hostile, id: hostile, blocks: [paragraph(hostile, 'label')] },
  cause: {
    id: hostile,
    kind: 'cause',
    tone: 'fail',
    title: hostile,
    explains: hostile,
    places: [hostile],
    shownBy: hostile,
    expected: hostile,
    actual: hostile,
    command: line,
    ofCommand: hostile,
    counts: true,
    entries: [entry],
    more: [{ id: hostile, of: hostile }],
  },
  entry,
  finding,
  readings: {
    kind: 'readings',
    id: hostile,
    where: hostile,
    brief: hostile,
    readings: [{ label: hostile, text: hostile, where: hostile, isFollowed: true }],
    held: hostile,
    followed: hostile,
    notes: [hostile],
  },
  picture: {
    kind: 'picture',
    look: 'line',
    label: hostile,
    width: 1,
    height: 1,
    paths: [],
    texts: [{ x: 0, y: 0, text: hostile }],
    caption: hostile,
  },
  filters: {
    kind: 'filters',
    label: hostile,
    noun: hostile,
    choices: [{ name: 'a', label: hostile, values: [[hostile, hostile]] }],
  },
  recorded: {
    kind: 'recorded',
    title: hostile,
    parts: [{ text: hostile }, { text: hostile, behind: hostile }],
  },
  columns: { kind: 'columns', blocks: [paragraph(hostile, 'see')] },
};

/** The document without fenced blocks and code. */
const uncoded = (markdown: string): string =>
  markdown
    .replace(/^(`{3,})\w*\n[\s\S]*?\n\1$/gm, '')
    .replace(/(?<![\\`])(`+)(?!`)(.*?)(?<!`)\1(?!`)/g, '')
    .replace(/<code>(?:[\w\s]|[^!-~]|&#\d+;)*<\/code>/g, '')
    // What stands in a tag of ours is HTML, where no Markdown is read.
    .replace(/^<details><summary>(?:(?!@[A-Za-z])[^<])*<\/summary>$|^<\/details>$|<br>/gm, '');

test.each(Object.entries(everyKind))('no printer lets a text act: %s', (_, block) => {
  const markup = markupOf(block).replace(/="[^"]*"/g, '');
  expect(markup).not.toMatch(/<(script|img|iframe|link|style)\b|<[^>]*\bon\w+=/);
  expect(uncoded(markdownOf(block))).not.toMatch(/[<>]|(?<!\\)\[|@[A-Za-z]|:\/\//);
  const text = terminalOf(block).join('\n');
  expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u);
  expect(text).not.toMatch(/^\s*(::|##)/m);
});

test('a form has those blocks that are for it, and what is not there is nothing', () => {
  const blocks: readonly Block[] = [
    { ...paragraph('All.', 'see') },
    { ...paragraph('Page.', 'see'), from: 'page' },
    { ...paragraph('Summary.', 'see'), from: 'summary', upTo: 'summary' },
    { ...paragraph('Glance.', 'see'), upTo: 'glance' },
  ];
  expect(linesOf(...blocks)).toEqual(['All.', 'Page.']);
  expect(markdownOf(...blocks)).toBe('All.\n\nSummary.\n');
  expect(terminalOf(...blocks)).toEqual(['  All.', '  Glance.']);
  expect(linesOf(section(['a', 'b', 'C'], [null, false, undefined]))).toEqual(['C']);
});

test('a long command stands whole on a page, where the first one also does on a terminal', () => {
  const long = `curl ${'x'.repeat(3_000)}`;
  const causes = [1, 2].map((): Block => ({ ...(everyKind.cause as object), command: long }) as Block);
  expect(markupOf(...causes).split(long)).toHaveLength(3);
  expect(terminalOf(...causes).filter((line) => line.includes(long))).toHaveLength(1);
  expect(terminalOf(...causes).join('\n')).toContain('a command of 3\u202f005 characters, in the report');
  expect(markdownOf(...causes)).toContain('The command has 3\u202f005 characters; report.html has it.');
});
