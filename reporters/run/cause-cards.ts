import { isDeepStrictEqual } from 'node:util';
import { count } from '../../spec/text.ts';
import type { SmallestRequest } from '../../suites/types/cause.ts';
import type { ReportRequirement } from '../../suites/types/report.ts';
import type { ExpectedFailures } from '../baseline/expected-failures.ts';
import {
  type CauseRows,
  causesHeadline,
  causesOf,
  explained,
  findingOfCause,
  isUnderCause,
  type PlaceOf,
  placesOf,
} from '../causes.ts';
import { type BlockOf, badge, type Block, prose, quiet, section } from '../document/blocks.ts';
import { seenText } from '../repeats.ts';
import { decidingFindings } from '../report-queries.ts';
import { causeAnchor, type Context, isDetailed, requirementLink } from './context.ts';
import { firstLinks } from './exchange.ts';
import { clip, requirementEntry } from './requirement.ts';

const mostExchanges = 3;
const mostPlaces = 3;

/** The command of a cause and what came of it stand once, above what it explains; its whole reply is one click away. */
const withoutRepeats = (
  entry: BlockOf<'entry'>,
  { command, actual, expected }: Pick<BlockOf<'cause'>, 'command' | 'actual' | 'expected'>,
): BlockOf<'entry'> => ({
  ...entry,
  findings: entry.findings.map((finding) => {
    if (finding.command !== command) return finding;
    const isTold = finding.actual === actual && isDeepStrictEqual(finding.expected, expected);
    return {
      ...finding,
      command: undefined,
      actual: isTold ? undefined : finding.actual,
      blocks: finding.blocks.map((block) =>
        block && block.kind === 'fold' ? { ...block, open: false } : block,
      ),
    };
  }),
});

/** How small a request is that shows a cause. */
const sizeWords: Readonly<Record<SmallestRequest['kind'], string>> = {
  smallest: 'The shortest request that was found to show it; sent once more, it showed it again.',
  'nothing-left-out': 'Nothing was found that can be left out of it; sent once more, it showed it again.',
  'not-always': 'Sent once more, this request did not show it.',
  unfinished: 'It may be longer than needed: not everything was tried to be left out.',
  'not-sent': 'It may be longer than needed: the run sent no shorter one.',
  'not-tried': 'No shorter one was tried.',
};

/** `none`, `4` or `2 to 7 other requests`. */
function othersText({ least, most }: NonNullable<SmallestRequest['beside']>): string {
  if (most === 0) return 'no other request';
  return least === most ? count(most, 'other request') : `${least} to ${count(most, 'other request')}`;
}

function ofRequest({ kind, again, beside, needed = [], turns, condition = '' }: SmallestRequest): string {
  const lacking = [
    ...needed.map((name) => `without \`${name}\``),
    ...(turns === undefined ? [] : [`with fewer than ${turns} turns`]),
  ];
  const without = lacking.length > 0 ? ` It was not shown ${lacking.join(', nor ')}.` : '';
  if (again === undefined) return `${sizeWords[kind]}${without}`;
  const sent = `Not each time: sent ${count(again.of, 'more time')}, one after another, this one`;
  if (again.shown > 0)
    return `${sent} showed it ${count(again.shown, 'time')}${condition && `, ${condition}`}.`;
  const inRun = beside ? ` In the run it showed with ${othersText(beside)} under way.` : '';
  return `${sent} did not show it again.${inRun}`;
}

type EntryOf = (row: ReportRequirement) => BlockOf<'entry'>;

function causeBlock(context: Context, one: CauseRows, entryOf: EntryOf, placeOf: PlaceOf) {
  const { cause, gates, tone, rows } = one;
  const finding = findingOfCause(context.report, one);
  const shown = rows.filter((row) => isDetailed(context.report, row));
  const command = gates ? cause.reproduce : undefined;
  const actual = finding === undefined ? undefined : clip(finding.actual);
  const expected = finding?.verdict === 'fail' ? prose(clip(finding.expected)) : undefined;
  const line = ({ id, verdict, statement }: ReportRequirement) => ({
    id,
    of: [badge(verdict), ' ', requirementLink(context, id, prose(statement))],
  });
  return {
    kind: 'cause',
    id: causeAnchor(cause.id),
    tone,
    title: prose(clip(cause.summary)),
    explains: [...explained(one, gates), ...seenText(cause)].join(', '),
    places: placesOf((cause.configKeys ?? []).slice(0, mostPlaces), placeOf),
    shownBy: firstLinks(context, cause.evidence, mostExchanges),
    expected,
    actual,
    command,
    ofCommand:
      command === undefined || cause.smallest === undefined ? undefined : prose(ofRequest(cause.smallest)),
    counts: gates,
    entries: shown.map((row) => withoutRepeats(entryOf(row), { command, actual, expected })),
    more: rows.filter((row) => !shown.includes(row)).map(line),
  } satisfies BlockOf<'cause'>;
}

/** What decided the verdict: each cause with what it explains, and behind them what hangs on none. */
export function decisiveSection(context: Context, known: ExpectedFailures, placeOf: PlaceOf): Block {
  const { report } = context;
  const causes = causesOf(report);
  const isUnder = isUnderCause(report);
  const alone = decidingFindings(report).map(({ requirement, sameFinding }) =>
    [requirement, ...sameFinding].filter((row) => !isUnder(row)),
  );
  const caused = causes.flatMap(({ rows }) => rows.filter((row) => isDetailed(report, row)));
  // The first entry is shown open, so that a reader sees what the others hold.
  const [first] = [...caused, ...alone.flat()];
  const entryOf: EntryOf = (row) => ({ ...requirementEntry(context, row, known), open: row === first });
  const blocks = [
    ...causes.map((one) => causeBlock(context, one, entryOf, placeOf)),
    ...alone.flatMap((rows) =>
      rows.map((row, at): Block => {
        if (at > 0) return { ...entryOf(row), from: 'summary' };
        return { ...entryOf(row), same: rows.slice(1).map(({ id }) => id) };
      }),
    ),
  ];
  const none = 'Nothing failed, and no inconclusive requirement gates.';
  const title = causesHeadline(report) || 'What decided the verdict';
  return section(['part-decisive', 'What decided it', title], blocks.length === 0 ? [quiet(none)] : blocks, {
    from: blocks.length === 0 ? 'page' : 'glance',
  });
}
