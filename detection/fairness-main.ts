import { wholeNumber } from '../cli/options/options.ts';
import { faults } from '../fixtures/faults/index.ts';
import { variants } from '../fixtures/variants/index.ts';
import {
  type FairnessRow,
  fairness,
  isFair,
  type Trial,
  withBusyCore,
  withTransientFaults,
} from './fairness.ts';
import { tool } from './tool.ts';

interface Options {
  readonly repeats: number;
  readonly transientRepeats: number;
  readonly minutes: number;
  readonly concurrentGateways: number;
}

const { repeats, transientRepeats, minutes, concurrentGateways } = tool(
  'fairness',
  'Runs the suite again and again beside other work, against gateways whose verdicts must always be the same.',
)
  .option('--repeats <number>', 'runs against each gateway', wholeNumber(0, 1000), 10)
  .option('--transient-repeats <number>', 'the same with passing faults on top', wholeNumber(0, 1000), 1)
  .option('--minutes <number>', 'time for all', wholeNumber(1, 1440), 30)
  .option('--concurrent-gateways <number>', 'gateways that are judged at once', wholeNumber(1, 64), 6)
  .parse()
  .opts<Options>();
const withinMs = minutes * 60_000;

const conformant = { verdict: 'conformant', breaks: [] } as const;
const reference = { id: 'reference', title: 'the reference gateway', hooks: {} };
const timed = faults.filter(({ id }) => id.includes('.stream.incremental.'));

/** In each group, what its runs show. */
const groups: readonly (readonly [name: string, trials: readonly Trial[]])[] = [
  [
    'the reference and every gateway with transient faults or slow replies',
    [reference, ...variants.filter(({ id }) => id.startsWith('transient.'))].map((subject) => ({
      subject,
      ...conformant,
      repeats,
    })),
  ],
  [
    'faults that only the clock shows',
    timed.map((subject) => ({ subject, verdict: 'non-conformant', breaks: subject.breaks, repeats })),
  ],
  [
    'every conformant gateway with 429, 503 and resets on top',
    variants.map((subject) => ({
      subject: withTransientFaults(subject),
      ...conformant,
      repeats: transientRepeats,
    })),
  ],
];

const total = (rows: readonly FairnessRow[], of: 'runs' | 'right' | 'missing'): number =>
  rows.reduce((sum, row) => sum + row[of], 0);

/** What came of a group: its sums, and every requirement that the runs against one gateway don't agree on. */
function groupText(name: string, rows: readonly FairnessRow[]): readonly string[] {
  const missing = total(rows, 'missing');
  const agreeing = rows.filter(({ flips }) => flips.length === 0).length;
  return [
    `${name}: ${total(rows, 'right')} of ${total(rows, 'runs')} runs say what they must; all runs against ${agreeing} of ${rows.length} gateways say the same`,
    ...(missing === 0 ? [] : [`  ${missing} runs were not made: the time was up`]),
    ...rows.flatMap(({ id, runs, right, flips }) => [
      ...(right === runs ? [] : [`  ${id}: only ${right} of ${runs} say what they must`]),
      ...flips.flatMap(({ requirement, verdicts, minority, byClock }) => [
        `  ${id}: ${requirement}${byClock ? ', by the clock' : ''}: ${verdicts}`,
        ...minority.slice(0, 2).map((each) => `    ${each}`),
      ]),
    ]),
  ];
}

const started = performance.now();
const seconds = (): number => Math.round((performance.now() - started) / 1000);
let unfair = 0;
for (const [name, trials] of groups.filter(([, each]) => each.some((trial) => trial.repeats > 0))) {
  const left = Math.max(0, withinMs - (performance.now() - started));
  const rows = await withBusyCore(left + 120_000, () =>
    fairness(trials, { withinMs: left, concurrentGateways }),
  );
  for (const line of groupText(name, rows)) console.log(line);
  unfair += rows.filter((row) => !isFair(row)).length;
}
console.log(`at concurrency 1, 8 and 32, with another core busy, ${seconds()} s`);
process.exitCode = unfair === 0 ? 0 : 1;
