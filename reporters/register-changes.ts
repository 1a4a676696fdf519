import { type Requirement, requirements } from '../spec/requirements.ts';
import type { Report, ReportRequirement } from '../suites/types/report.ts';
import { byId } from './report-queries.ts';

type Row = Pick<
  ReportRequirement,
  'id' | 'level' | 'impact' | 'statement' | 'reading' | 'since' | 'provisional'
>;

const changed = (name: string, before: unknown, after: unknown): readonly string[] =>
  before === after ? [] : [`${name} ${before ?? 'none'} → ${after ?? 'none'}`];

/** In what a statement is another one than before, in words; empty where only what was found of it may differ. */
export function rowChanges(before: Row, after: Row): readonly string[] {
  const [did, does] = [before, after].map(({ provisional }) => provisional === undefined);
  return [
    ...(before.statement === after.statement ? [] : ['another statement']),
    ...(before.reading === after.reading ? [] : ['another reading']),
    ...changed('level', before.level, after.level),
    // Reports of the first version have no impacts.
    ...(before.impact === undefined ? [] : changed('impact', before.impact, after.impact)),
    ...((before.since ?? 1) === (after.since ?? 1) ? [] : [`stricter since version ${after.since ?? 1}`]),
    ...(did === does ? [] : [does ? 'counts now' : 'does not count any more']),
  ];
}

const asReported = ({ since, provisional, ...row }: Requirement): Row => ({
  ...row,
  ...(since > 1 ? { since } : {}),
  ...(provisional ? { provisional: 'untested' } : {}),
});

/** What of the statements of a report is another one in the register of this version, a line each. */
export function sinceReport({ requirements: rows, excluded }: Report): readonly string[] {
  const known = byId(rows);
  const isExcluded = byId(excluded);
  const now = requirements();
  const ids = new Set(now.map(({ id }) => id));
  return [
    ...now.flatMap((row) => {
      const before = known.get(row.id);
      if (before === undefined) {
        if (row.excluded !== undefined) return [];
        return [
          `${row.id}: ${isExcluded.has(row.id) ? 'judged now' : 'new'}${row.provisional ? ', provisional' : ''}`,
        ];
      }
      if (row.excluded !== undefined) return [`${row.id}: not judged any more: ${row.excluded}`];
      const changes = rowChanges(before, asReported(row));
      return changes.length > 0 ? [`${row.id}: ${changes.join(', ')}`] : [];
    }),
    ...rows.filter(({ id }) => !ids.has(id)).map(({ id }) => `${id}: removed`),
  ];
}
