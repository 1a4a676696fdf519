import { type Cell, type Family, type Group, type Protocol, groups } from '../../spec/vocabulary.ts';
import type { ReportCell } from '../../suites/types/report.ts';
import type { Known } from './experiments.ts';
import { modelOf, type Question } from './requests.ts';
import { isAnswered, type Witnessed } from './witness.ts';

const isOfCell =
  ({ family, protocol, group, stream }: Cell) =>
  (one: Witnessed): boolean =>
    one.protocol === protocol &&
    one.ctx.family === family &&
    one.group === group &&
    (one.ctx.body.stream === true) === stream &&
    (one.worth === 'lawful' || one.worth === 'route');

const questionOf = ({ family, protocol, group, stream }: Cell): Question => ({
  family,
  protocol,
  group,
  more: stream ? { stream: true } : {},
});

/** A cell is served or refused as the gateway says when it is asked, or as it did in the run: it may change its mind. */
async function cellHolds(cell: ReportCell, { experiments, witness }: Known): Promise<string | undefined> {
  if (cell.observed !== 'served' && cell.observed !== 'refused') return undefined;
  if (cell.model !== undefined || modelOf(experiments.settings, cell.family) === undefined) return undefined;
  const isServed = cell.observed === 'served';
  const asked = await experiments.ask(questionOf(cell));
  if (asked.isAnswered === isServed) return undefined;
  const inRun = witness.seen.filter(isOfCell(cell)).map(isAnswered);
  const { family, protocol, group, stream, observed } = cell;
  const name = `${family} · ${protocol} · ${group}${stream ? ' · stream' : ''}`;
  return inRun.includes(isServed) ? undefined : `cell ${name}: ${observed}, and it is not`;
}

const others: readonly Group[] = ['coding-tool', 'third-party-client'];

const cellsOf = (protocol: Protocol, of: readonly Group[], ...families: readonly Family[]) =>
  families.map((family) => ({ family, protocol, of }));

/** The cells that show which reading of a contradiction or an ambiguity is followed; a refusal shows the other one. */
const readings: Readonly<Record<string, { cells: ReturnType<typeof cellsOf>; answered: 'A' | 'B' }>> = {
  'family-conversational-chat': { cells: cellsOf('chat', ['default'], 'conversational'), answered: 'B' },
  'group-of-a-family': {
    cells: [...cellsOf('responses', groups, 'general'), ...cellsOf('images', groups, 'image')],
    answered: 'B',
  },
  'groups-beyond-the-stated': { cells: cellsOf('chat', others, 'general', 'multimodal'), answered: 'A' },
  'text-model-on-images': {
    cells: cellsOf('images', groups, 'general', 'conversational', 'multimodal'),
    answered: 'B',
  },
};

async function conflictHolds(
  id: string,
  follows: string,
  { experiments, witness }: Known,
): Promise<string | undefined> {
  const shown = readings[id];
  if (shown === undefined || !/^(A|B|mixed)$/.test(follows)) return undefined;
  const refused = shown.answered === 'A' ? 'B' : 'A';
  const readingOf = (is: boolean): string => (is ? shown.answered : refused);
  const labels = new Set<string>();
  for (const { family, protocol, of } of shown.cells)
    for (const group of modelOf(experiments.settings, family) ? of : []) {
      const inRun = witness.seen.filter(isOfCell({ family, protocol, group, stream: false }));
      for (const one of inRun) labels.add(readingOf(isAnswered(one)));
      const outcomes = await experiments.askAgain({ family, protocol, group }, 2);
      for (const { isAnswered: is } of outcomes) labels.add(readingOf(is));
    }
  const isSo = follows === 'mixed' ? labels.size === 2 : labels.has(follows);
  return isSo
    ? undefined
    : `conflict ${id}: follows ${follows}, and its cells show ${[...labels].join(' and ')}`;
}

/** What of the matrix and of the readings of a report is not so. */
export async function untrueCells(known: Known): Promise<readonly string[]> {
  const { matrix, conflicts } = known.report;
  const found = [
    ...(await Promise.all(matrix.map((cell) => cellHolds(cell, known)))),
    ...(await Promise.all(conflicts.map(({ id, follows }) => conflictHolds(id, follows, known)))),
  ];
  return found.flatMap((each) => each ?? []);
}
