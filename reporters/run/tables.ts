import { count, shorten } from '../../spec/text.ts';
import type { ReportConflict } from '../../suites/types/report.ts';
import {
  code,
  fold,
  joined,
  link,
  paragraph,
  prose,
  quiet,
  row,
  section,
  strong,
  table,
} from '../document/blocks.ts';
import type { BlockOf, Block, Inline } from '../document/blocks.ts';
import { ambiguities, contradictions, firstSection, openContradictions } from '../report-queries.ts';
import { compareSections, sectionList, sectionTitle } from '../sections.ts';
import { type Context, requirementLink } from './context.ts';
import { exchangeBlock, exchangeLinks, firstLinks, headerLine, omittedHeaders } from './exchange.ts';
import { type UsualHeaders, usualHeaders } from './exchange.ts';

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
function readingsBlock(context: Context, entry: ReportConflict): BlockOf<'readings'> {
  const { id, sections, readings, held, why, follows, exchanges, observations = [] } = entry;
  const links = joined(observations.slice(0, 3).map((one) => link(`o:${one}`, one)));
  const text = ({ requirement, statement }: ReportConflict['readings'][number]): Inline =>
    requirement === undefined ? prose(statement) : requirementLink(context, requirement, prose(statement));
  return {
    kind: 'readings',
    id,
    where: sectionList(sections),
    brief: followed(entry),
    readings: readings.map((reading) => ({
      label: reading.label,
      text: text(reading),
      where: sectionList(reading.sections),
      isFollowed: reading.label === follows,
    })),
    held: held ?? 'neither',
    followed: followsText[follows],
    notes: [
      why !== undefined && [held !== undefined && ['Judged by reading ', strong(held), '. '], prose(why)],
      [
        'This target ',
        strong(followsText[follows]),
        `.${held === undefined ? ' Neither reading is failed.' : ''}`,
        exchanges.length > 0 && [' Seen in ', exchangeLinks(context, exchanges)],
        observations.length > 0 && [` ${count(observations.length, 'observation')}: `, links],
      ],
    ],
  };
}

/** A section that says that it has nothing where that is so, which only a page does. */
const orNone = (
  names: readonly [id: string, name: string, title: string],
  isEmpty: boolean,
  none: string,
  shown: Block,
): Block => section(names, [isEmpty ? quiet(none) : shown], { from: isEmpty ? 'page' : 'summary' });

const readingsFold = (context: Context, entries: readonly ReportConflict[], summary: string): Block => ({
  ...fold(summary, ...entries.map((entry) => readingsBlock(context, entry))),
  from: 'summary',
});

/** Contradictions of the interface; those of which one reading is held behind one line. */
export function conflictSection(context: Context): Block {
  const entries = contradictions(context.report);
  const open = openContradictions(context.report);
  const settled = entries.filter((entry) => !open.includes(entry));
  const more = `${count(settled.length, 'more contradiction')}, where one reading is held`;
  const title = 'Contradictions of the interface, and what this target does';
  return section(
    ['part-conflicts', 'Contradictions', title],
    [
      entries.length === 0 && quiet('None was tested.'),
      ...open.map((entry) => readingsBlock(context, entry)),
      settled.length > 0 && readingsFold(context, settled, more),
    ],
    { tone: 'conflict', from: open.length > 0 ? 'glance' : entries.length > 0 ? 'summary' : 'page' },
  );
}

/** Places that can be read in two ways, behind one line. */
export function ambiguitySection(context: Context): Block {
  const entries = ambiguities(context.report);
  const what = `${count(entries.length, 'place')}, each with both readings and the one held`;
  const names = ['part-ambiguities', 'Ambiguities', 'Ambiguities of the interface'] as const;
  return orNone(names, entries.length === 0, 'None is recorded.', readingsFold(context, entries, what));
}

/** What the interface does not specify and this target does. */
export function observationSection(context: Context): Block {
  const rows = [...context.report.observations]
    .sort((one, other) => compareSections(one.section, other.section))
    .map(({ id, section: own, requirement, subject, value, exchanges }) => ({
      id: `o:${id}`,
      ...row(
        own,
        requirementLink(context, requirement, subject),
        code(shorten(value, 400)),
        firstLinks(context, exchanges, 3),
      ),
    }));
  const summary = `${count(rows.length, 'observation')}, none of them a failure`;
  const shown = fold(summary, table(['Observations', 'rows'], ['Section', 'What', 'Seen', 'Where'], rows));
  const title = 'Observed behaviour that the interface does not specify';
  const names = ['part-observations', 'Observations', title] as const;
  return orNone(names, rows.length === 0, 'Nothing was observed.', shown);
}

/** Statements that can't be judged over HTTP, behind one line. */
export function excludedSection({ report }: Context): Block {
  const rows = [...report.excluded]
    .sort((one, other) => compareSections(firstSection(one), firstSection(other)))
    .map(({ id, sections, statement, reason }) => ({
      cells: [
        { of: sections.join(', '), title: sectionTitle(firstSection({ sections })) },
        { of: [prose(statement), ' ', code(id)] },
        { of: prose(reason) },
      ],
    }));
  const heads = ['Section', 'Statement', 'Why it cannot be judged over HTTP'];
  const summary = `${count(rows.length, 'statement')}, each with its reason`;
  const shown = fold(summary, table(['Excluded statements', 'rows ex'], heads, rows));
  return section(
    ['part-excluded', 'Excluded', 'Excluded statements'],
    [rows.length === 0 ? quiet('No statement was excluded.') : shown],
    { from: 'page' },
  );
}

/** The exchanges that are not shown with a failure. */
export function exchangeSection(context: Context): Block {
  const { exchanges } = context.report;
  const rest = exchanges.filter(({ id }) => !context.placeOfExchange.has(id));
  const usual = usualHeaders(rest);
  const named = (headers: UsualHeaders['request']): Inline =>
    joined(headers.map((header) => code(headerLine(header))));
  const about: Inline = [
    `Credentials are masked. Headers without information (${omittedHeaders.join(', ')}) are omitted; `,
    code('evidence.jsonl'),
    ' has everything in full. Exchanges behind a failure are shown with it.',
    usual.request.length > 0 && [' Unless told otherwise a request has ', named(usual.request), '.'],
    usual.reply.length > 0 && [' Unless told otherwise a reply has ', named(usual.reply), '.'],
  ];
  const paper =
    'The recorded exchanges are not printed. They are in this document on screen, in report.json and in evidence.jsonl.';
  const shown: Block = {
    kind: 'fold',
    look: 'exchanges',
    summary: count(rest.length, 'exchange'),
    // Hundreds, which only a page has: not made for a form that leaves them out.
    get blocks() {
      return rest.map((exchange) => exchangeBlock(context, exchange, { usual }));
    },
  };
  const hasRoom = context.limits.exchanges === 'all';
  const none = hasRoom
    ? 'Every exchange is shown with a finding.'
    : 'There was room only for what shows a finding, which stands with it: evidence.jsonl has all exchanges.';
  return section(
    ['part-exchanges', 'Exchanges', `Recorded exchanges (${count(exchanges.length, 'exchange')})`],
    hasRoom && rest.length > 0 ? [quiet(about), paragraph(paper, 'paper'), shown] : [quiet(none)],
    { from: 'page' },
  );
}
