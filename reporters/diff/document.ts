import { shorten } from '../../spec/text.ts';
import { type Block, code, type Document, type Inline, prose, small, strong } from '../document/blocks.ts';
import { printMarkdown } from '../document/markdown.ts';
import { printTerminal } from '../document/terminal.ts';
import { jsonEscape } from '../escape.ts';
import { printPage } from '../html/page.ts';
import { overallWord, utcTime } from '../wording.ts';
import type { ReportDiff, Side } from './report-diff.ts';
import { type DiffSection, presentDiff } from './view.ts';

const longest = 600;
const cut = (text: string): string => shorten(text, longest);

const sideOf = ({ target, suite, run, verdict }: Side): Inline => [
  strong(cut(target.name)),
  `, ${overallWord[verdict].toLowerCase()}, `,
  code(cut(target.baseUrl)),
  ` ${utcTime(run.startedAt)}, run `,
  code(run.id),
  run.partial && ' (stopped early)',
  ` ${suite.name} ${suite.version}`,
];

const digestsOf = ({ suite }: Side): Inline => [
  'requirements ',
  code(suite.requirementsDigest),
  ', OpenAPI ',
  code(suite.openapiDigest),
];

const sectionOf = ({ slug, title, rows }: DiffSection): Block => ({
  kind: 'section',
  id: slug,
  name: `${title} (${rows.length})`,
  title: `${title} (${rows.length})`,
  blocks: [
    {
      kind: 'table',
      label: title,
      look: 'changes',
      heads: ['What', 'Section', 'Before', 'After'],
      rows: rows.map(({ id, section, what, before, after, note, tone }) => ({
        cells: [
          {
            of: [prose(cut(what)), ' ', code(id), note !== undefined && [{ is: 'line' }, small(cut(note))]],
          },
          { of: section },
          { of: cut(before) },
          { of: tone === undefined ? cut(after) : { is: 'tone', tone, of: cut(after) } },
        ],
      })),
    },
  ],
});

/** What changed from one report to another as a document, the worst first. */
function diffDocument(diff: ReportDiff): Document {
  const { tone, headline, lead, notes, sections, before, after } = presentDiff(diff);
  const sides = [
    ['Before', before],
    ['After', after],
  ] as const;
  return {
    title: `${headline}: ${cut(after.target.name)}`,
    skip: { to: sections[0]?.slug ?? 'sides', words: 'Skip to what changed' },
    head: [
      {
        kind: 'verdict',
        tone,
        over: 'Conformance reports compared',
        subject: cut(after.target.name),
        word: headline,
        lead,
        reasons: notes,
      },
      { kind: 'facts', facts: sides.map(([name, side]) => [name, sideOf(side)]) },
    ],
    parts: [
      ...sections.map(sectionOf),
      {
        kind: 'section',
        from: 'page',
        id: 'sides',
        name: 'Judged by',
        title: 'Judged by',
        blocks: [{ kind: 'facts', broad: true, facts: sides.map(([name, side]) => [name, digestsOf(side)]) }],
      },
    ],
  };
}

/** The diff as plain text for a terminal. */
export const renderDiffText = (diff: ReportDiff): string =>
  `${printTerminal(diffDocument(diff), false).join('\n').trimEnd()}\n`;

/** The diff as Markdown for a pull request. */
export const renderDiffMarkdown = (diff: ReportDiff): string => printMarkdown(diffDocument(diff));

/** The diff as one self-contained HTML document, in the look of the report. */
export const renderDiffHtml = (diff: ReportDiff): string => printPage(diffDocument(diff));

/** The diff as JSON: a `ReportDiff`, indented, in ASCII: it may be printed on a terminal. */
export const renderDiffJson = (diff: ReportDiff): string =>
  `${JSON.stringify(diff, null, 2).replace(/[\u007f-\uffff]/g, jsonEscape)}\n`;
