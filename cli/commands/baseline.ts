import { existsSync, readFileSync } from 'node:fs';
import { present } from '../../spec/present.ts';
import { loadBaseline, parseBaseline } from '../../fixtures/baseline/baseline.ts';
import { editBaseline } from '../../fixtures/baseline/edit.ts';
import { applyBaseline, reasonPlaceholder, planUpdate } from '../../reporters/baseline/apply.ts';
import { terminalLine } from '../../reporters/escape.ts';
import { count } from '../../spec/text.ts';
import { type ExitCode, exitCodes } from '../exit.ts';
import { writeWhole } from '../files/folder.ts';
import { today } from '../files/render-context.ts';
import { partOfReport } from '../../reporters/report-queries.ts';
import { otherFileHint, reportAt } from '../files/report-file.ts';
import { print } from '../output/terminal.ts';

/** `baseline update`: brings the expected failures up to a report. */
export function baselineUpdateCommand(named: Readonly<Record<'baseline' | 'report', string>>): ExitCode {
  const { baseline: file } = named;
  const report = reportAt(named.report);
  const exists = existsSync(file);
  const part = partOfReport(report);
  const current = exists ? loadBaseline(file, part) : parseBaseline(file, '');
  const outcome = applyBaseline(report, current, today());
  const edit = planUpdate(report, current, outcome, today());
  writeWhole(file, editBaseline(exists ? readFileSync(file, 'utf8') : '', edit, part), otherFileHint);
  const entries = (amount: number): string => count(amount, 'entry', 'entries');
  const remaining = current.entries.length - edit.drop.length;
  print(
    present([
      `${terminalLine(file)}: ${entries(edit.add.length)} added, ${entries(edit.drop.length)} dropped, ${entries(remaining)} kept.`,
      ...edit.add.map(({ requirement }) => `  + ${requirement}`),
      ...edit.drop.map((at) => `  - ${current.entries[at]?.requirement ?? ''}`),
      edit.add.length > 0 && `Replace "${reasonPlaceholder}" by the reason, and commit the file.`,
      outcome.expired.length > 0 &&
        `${entries(outcome.expired.length)} expired and still failing: extend them, or fix the gateway.`,
    ]).join('\n'),
  );
  return exitCodes.conformant;
}
