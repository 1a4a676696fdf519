import { count, shorten } from '../../spec/text.ts';
import type { ReportConflict } from '../../suites/types/report.ts';
import {
  type Block,
  code,
  type Inline,
  link,
  prose,
  quiet,
  type ReadingsBlock,
  strong,
} from '../document/blocks.ts';
import { ambiguities, contradictions, firstSection, openContradictions } from '../report-queries.ts';
import { compareSections, sectionList, sectionTitle } from '../sections.ts';
import { type Context, requirementLink } from './context.ts';
import { exchangeBlock, exchangeLinks, firstLinks, omittedHeaders } from './exchange.ts';

/** Which reading of a contradiction or an ambiguity the target follows. */
const followsText: Readonly<Record<ReportConflict['follows'], string>> = {
  A: 'follows reading A',
  B: 'follows reading B',
  mixed: 'follows one reading here and the other one there',
  neither: 'follows neither reading',
  unknown: 'could not be determined',
  untested: 'was not tested',
  'not observable': 'does not show which reading it follows',
};

/** What a target makes of a place that can be read in two ways, in one sentence. */
function followed({ readings, follows }: ReportConflict): Inline {
  const own = readings.find(({ label }) => label === follows);
  return own === undefined ? followsText[follows] : [`follows ${own.label}: `, prose(own.statement)];
}

/** One entry of the catalogue: both readings, the one that is held, and what this target does. */
function readingsBlock(context: Context, entry: ReportConflict): ReadingsBlock {
  const { id, sections, readings, held, why, follows, exchanges, observations = [] } = entry;
  const links = observations.slice(0, 3).map((one, at) => [at > 0 && ', ', link(`o:${one}`, one)]);
  return {
    kind: 'readings',
    id,
    where: sectionList(sections),
    brief: followed(entry),
    readings: readings.map(({ label, statement, requirement, sections: own }) => ({
      label,
      text:
        requirement === undefined
          ? prose(statement)
          : requirementLink(context, requirement, prose(statement)),
      where: sectionList(own),
      isFollowed: label === follows,
    })),
    held: held ?? 'neither',
    followed: followsText[follows],
    notes: [
      ...(why === undefined
        ? []
        : [[held !== undefined && ['Judged by reading ', strong(held), '. '], prose(why)]]),
      [
        'This target ',
        strong(followsText[follows]),
        `.${held === undefined ? ' Neither reading is failed.' : ''}`,
        exchanges.length > 0 && [' Seen in ', exchangeLinks(context, exchanges)],
        links.length > 0 && [` ${count(observations.length, 'observation')}: `, links],
      ],
    ],
  };
}

const fold = (context: Context, entries: readonly ReportConflict[], summary: string): Block => ({
  kind: 'fold',
  from: 'summary',
  summary,
  blocks: entries.map((entry) => readingsBlock(context, entry)),
});

/** Contradictions of the interface; those of which one reading is held behind one line. */
export function conflictSection(context: Context): Block {
  const entries = contradictions(context.report);
  const open = openContradictions(context.report);
  const settled = entries.filter((entry) => !open.includes(entry));
  const more = `${count(settled.length, 'more contradiction')}, where one reading is held`;
  return {
    kind: 'section',
    from: open.length > 0 ? 'glance' : entries.length > 0 ? 'summary' : 'page',
    id: 'part-conflicts',
    name: 'Contradictions',
    title: 'Contradictions of the interface, and what this target does',
    tone: 'conflict',
    blocks: [
      ...(entries.length === 0 ? [quiet('None was tested.')] : []),
      ...open.map((entry) => readingsBlock(context, entry)),
      ...(settled.length > 0 ? [fold(context, settled, more)] : []),
    ],
  };
}

/** Places that can be read in two ways, behind one line. */
export function ambiguitySection(context: Context): Block {
  const entries = ambiguities(context.report);
  const what = `${count(entries.length, 'place')}, each with both readings and the one held`;
  return {
    kind: 'section',
    from: entries.length === 0 ? 'page' : 'summary',
    id: 'part-ambiguities',
    name: 'Ambiguities',
    title: 'Ambiguities of the interface',
    blocks: [entries.length === 0 ? quiet('None is recorded.') : fold(context, entries, what)],
  };
}

/** What the interface does not specify and this target does. */
export function observationSection(context: Context): Block {
  const rows = [...context.report.observations].sort((one, other) =>
    compareSections(one.section, other.section),
  );
  const table: Block = {
    kind: 'table',
    label: 'Observations',
    look: 'rows',
    heads: ['Section', 'What', 'Seen', 'Where'],
    rows: rows.map(({ id, section, requirement, subject, value, exchanges }) => ({
      id: `o:${id}`,
      cells: [
        { of: section },
        { of: requirementLink(context, requirement, subject) },
        { of: code(shorten(value, 400)) },
        { of: firstLinks(context, exchanges, 3) },
      ],
    })),
  };
  const summary = `${count(rows.length, 'observation')}, none of them a failure`;
  return {
    kind: 'section',
    from: rows.length === 0 ? 'page' : 'summary',
    id: 'part-observations',
    name: 'Observations',
    title: 'Observed behaviour that the interface does not specify',
    blocks: [rows.length === 0 ? quiet('Nothing was observed.') : { kind: 'fold', summary, blocks: [table] }],
  };
}

/** Statements that can't be judged over HTTP, behind one line. */
export function excludedSection({ report }: Context): Block {
  const rows = [...report.excluded].sort((one, other) =>
    compareSections(firstSection(one), firstSection(other)),
  );
  const table: Block = {
    kind: 'table',
    label: 'Excluded statements',
    look: 'rows ex',
    heads: ['Section', 'Statement', 'Why it cannot be judged over HTTP'],
    rows: rows.map(({ id, sections, statement, reason }) => ({
      cells: [
        { of: sections.join(', '), title: sectionTitle(firstSection({ sections })) },
        { of: [prose(statement), ' ', code(id)] },
        { of: prose(reason) },
      ],
    })),
  };
  const summary = `${count(rows.length, 'statement')}, each with its reason`;
  return {
    kind: 'section',
    from: 'page',
    id: 'part-excluded',
    name: 'Excluded',
    title: 'Excluded statements',
    blocks: [
      rows.length === 0 ? quiet('No statement was excluded.') : { kind: 'fold', summary, blocks: [table] },
    ],
  };
}

/** The exchanges that are not shown with a failure. */
export function exchangeSection(context: Context): Block {
  const { exchanges } = context.report;
  const rest = exchanges.filter(({ id }) => !context.placeOfExchange.has(id));
  const about: Inline = [
    `Credentials are masked. Bodies are shortened here to about ${context.limits.body} characters, and headers without information (${omittedHeaders.join(', ')}) are omitted; `,
    code('evidence.jsonl'),
    ' has everything in full. Exchanges behind a failure are shown with it.',
  ];
  const paper =
    'The recorded exchanges are not printed. They are in this document on screen, in report.json and in evidence.jsonl.';
  const shown: Block[] = [
    quiet(about),
    { kind: 'paragraph', text: paper, look: 'paper' },
    {
      kind: 'fold',
      look: 'exchanges',
      summary: count(rest.length, 'exchange'),
      blocks: rest.map((exchange) => exchangeBlock(context, exchange)),
    },
  ];
  return {
    kind: 'section',
    from: 'page',
    id: 'part-exchanges',
    name: 'Exchanges',
    title: `Recorded exchanges (${count(exchanges.length, 'exchange')})`,
    blocks: rest.length === 0 ? [quiet('Every exchange is shown with a finding.')] : shown,
  };
}
