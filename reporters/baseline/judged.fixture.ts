import type { BaselineEntry } from '../../fixtures/baseline/baseline.ts';
import type { Cell } from '../../spec/vocabulary.ts';
import type { Report, ReportCase, Verdict } from '../../suites/types/report.ts';
import { requirementRow } from '../empty-report.fixture.ts';
import { smallReport } from '../small.fixture.ts';
import { applyBaseline } from './apply.ts';

/** The day of these tests. */
export const today = '2026-11-21';
export const one = 'chat.result.id';
export const other = 'chat.result.object';
export const plain: Cell = { family: 'general', protocol: 'chat', group: 'default', stream: false };
export const streamed: Cell = { ...plain, stream: true };

/** An entry that holds on that day. */
export const entry = (requirement: string, over: Partial<BaselineEntry> = {}): BaselineEntry => ({
  requirement,
  reason: 'known',
  expires: '2027-03-31',
  line: 2,
  ...over,
});

type Judged = readonly [id: string, cell: Cell | undefined, verdicts: Readonly<Record<string, Verdict>>];

/** A report of these cases alone; each says for its requirements what it found. */
export function report(...judged: readonly Judged[]): Report {
  const cases = judged.map(([id, cell, verdicts]): ReportCase => {
    const rows = Object.entries(verdicts);
    const findings = rows.flatMap(([requirement, verdict]) =>
      verdict === 'fail' || verdict === 'inconclusive'
        ? [{ requirement, verdict, message: 'm', expected: 'e', actual: 'a' }]
        : [],
    );
    const worst = rows.some(([, verdict]) => verdict === 'fail') ? 'fail' : (rows[0]?.[1] ?? 'untested');
    return {
      id,
      title: id,
      suite: 'results',
      ...(cell === undefined ? {} : { cell }),
      requirements: rows.map(([requirement]) => requirement),
      verdict: worst,
      findings,
      passed: rows.flatMap(([requirement, verdict]) => (verdict === 'pass' ? [requirement] : [])),
      exchanges: [],
    };
  });
  const requirements = [...new Set(judged.flatMap(([, , verdicts]) => Object.keys(verdicts)))].map((id) => {
    const own = judged.flatMap(([, , verdicts]) => verdicts[id] ?? []);
    const worst: readonly Verdict[] = ['fail', 'inconclusive', 'pass'];
    const verdict = worst.find((wanted) => own.includes(wanted));
    return requirementRow(id, {
      statement: `${id} is so.`,
      verdict: verdict ?? 'untested',
      cases: judged.flatMap(([name, , verdicts]) => (id in verdicts ? [name] : [])),
    });
  });
  return { ...smallReport(), requirements, cases };
}

/** A report compared with these entries. */
export const apply = (given: Report, ...entries: readonly BaselineEntry[]) =>
  applyBaseline(given, { file: 'b.yaml', entries }, today);
