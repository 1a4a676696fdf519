import type { Report } from '../../suites/types/report.ts';
import { linesOf } from '../document/printed.fixture.ts';
import { contextOf } from './context.ts';
import { requirementEntry } from './requirement.ts';

/** Requirements of the small report: one that fails, and one that is undecided. */
export const failed = 'chat.result.usage.total-tokens';
export const open = 'chat.param.temperature.range';

/** A requirement of a report as it is shown. */
export function requirementLines(report: Report, id: string): string[] {
  const requirement = report.requirements.find((one) => one.id === id);
  if (requirement === undefined) throw new Error(`the report has ${id}`);
  return linesOf(requirementEntry(contextOf(report), requirement));
}
