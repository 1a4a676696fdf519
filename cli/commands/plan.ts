import { terminalLine } from '../../reporters/escape.ts';
import { depthText } from '../../reporters/wording.ts';
import { loadTarget } from '../../fixtures/target/config.ts';
import type { Target } from '../../fixtures/target/target.ts';
import { profiles } from '../../suites/model/profile.ts';
import { countOf, planCounts } from '../../suites/plan/plan-counts.ts';
import { planRun } from '../../suites/plan/plan-run.ts';
import { type ExitCode, exitCodes } from '../exit.ts';
import { type DepthOptions, depthOf, freshSeed, type SelectionOptions, selectionOf } from '../options.ts';
import { sameModelsText } from '../same-models.ts';
import { type CommonOptions, print, printError } from '../terminal.ts';

export interface PlanCommandOptions extends CommonOptions, SelectionOptions, DepthOptions {
  readonly config: string;
  readonly seed?: number;
  readonly json?: boolean;
}

/** Rows of cells as aligned columns: the first to the left, numbers to the right. */
function table(rows: readonly (readonly (string | number)[])[]): string {
  const width = (column: number): number => Math.max(...rows.map((row) => String(row[column]).length));
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          column === 0 ? String(cell).padEnd(width(column)) : String(cell).padStart(width(column)),
        )
        .join('  '),
    )
    .join('\n');
}

const countNames = ['requests', 'conditional', 'billed', 'images'] as const;

/** What each profile comes to, a line each. */
function profileTable(target: Target, asked: Parameters<typeof planRun>[1]): string {
  const rows = profiles.map((profile) => {
    const count = countOf(planRun(target, { ...asked, profile }).requests);
    return [profile, ...countNames.map((name) => count[name])];
  });
  return table([['profile', ...countNames], ...rows]);
}

/** `plan`: what a run would send, without sending it. */
export function planCommand(options: PlanCommandOptions): ExitCode {
  const selection = selectionOf(options);
  const target = loadTarget(options.config, process.env);
  const asked = { seed: options.seed ?? freshSeed(), selection, ...depthOf(options) };
  const plan = planRun(target, asked);
  const counts = planCounts(plan);
  const sameModels = sameModelsText(options.config, target, plan);
  if (sameModels !== undefined) printError(sameModels);
  if (options.json) {
    const { name, baseUrl } = target;
    print(JSON.stringify({ target: { name, baseUrl }, selection, counts, ...plan }, null, 2));
    return exitCodes.conformant;
  }
  print(
    [
      terminalLine(`${target.name} at ${target.baseUrl}, ${depthText(asked)}`),
      '',
      table([
        ['suite', 'cases', ...countNames],
        ...counts.map((row) => [row.suite, row.cases, ...countNames.map((name) => row[name])]),
      ]),
      '',
      ...(options.profile === undefined ? [profileTable(target, asked), ''] : []),
      'A request that several suites share is sent once, and counted for the first of them.',
      'Conditional: further requests, sent only where earlier replies are not conclusive.',
      'Billed: the most generations that a conformant gateway charges for, each image counted. Retries of',
      'overloaded requests come on top. Nothing was sent.',
    ].join('\n'),
  );
  return exitCodes.conformant;
}
