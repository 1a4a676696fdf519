import { parseArgs } from 'node:util';
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

const { values } = parseArgs({
  options: {
    repeats: { type: 'string', default: '10' },
    'transient-repeats': { type: 'string', default: '1' },
    minutes: { type: 'string', default: '30' },
    'concurrent-gateways': { type: 'string', default: '6' },
  },
});
const repeats = Number(values.repeats);
const withinMs = Number(values.minutes) * 60_000;
const concurrentGateways = Number(values['concurrent-gateways']);

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
      repeats: Number(values['transient-repeats']),
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
