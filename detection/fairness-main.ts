import { parseArgs } from 'node:util';
import { faults } from '../fixtures/faults/index.ts';
import { variants } from '../fixtures/variants/index.ts';
import { fairness, isFair, type Trial } from './fairness.ts';
import { besideBusyCore } from './fairness-busy.ts';
import { stormy } from './fairness-storm.ts';

const { values } = parseArgs({
  options: {
    repeats: { type: 'string', default: '10' },
    'storm-repeats': { type: 'string', default: '1' },
    minutes: { type: 'string', default: '30' },
  },
});
const repeats = Number(values.repeats);
const withinMs = Number(values.minutes) * 60_000;

const lawful = { verdict: 'conformant', breaks: [] } as const;
const reference = { id: 'reference', title: 'the reference gateway', hooks: {} };
const timed = faults.filter(({ id }) => id.includes('.stream.incremental.'));

/** In each group, what its runs show. */
const groups: readonly (readonly [name: string, trials: readonly Trial[]])[] = [
  [
    'the reference and every gateway of unsteady weather',
    [reference, ...variants.filter(({ id }) => id.startsWith('weather.'))].map((subject) => ({
      subject,
      ...lawful,
      repeats,
    })),
  ],
  [
    'faults that only the clock shows',
    timed.map((subject) => ({ subject, verdict: 'non-conformant', breaks: subject.breaks, repeats })),
  ],
  [
    'every lawful gateway with 429, 503 and resets on top',
    variants.map((subject) => ({
      subject: stormy(subject),
      ...lawful,
      repeats: Number(values['storm-repeats']),
    })),
  ],
];

const started = performance.now();
const seconds = (): number => Math.round((performance.now() - started) / 1000);
let unfair = 0;
for (const [name, trials] of groups.filter(([, each]) => each.some((trial) => trial.repeats > 0))) {
  const left = Math.max(0, withinMs - (performance.now() - started));
  const rows = await besideBusyCore(left + 120_000, () => fairness(trials, { withinMs: left }));
  const runs = rows.reduce((sum, row) => sum + row.runs, 0);
  const right = rows.reduce((sum, row) => sum + row.right, 0);
  console.log(
    `${name}: ${right} of ${runs} runs say what they must; of ${rows.filter(isFair).length} of ${rows.length} gateways all runs say the same`,
  );
  for (const row of rows.filter((each) => !isFair(each))) {
    unfair += 1;
    console.log(`  ${row.id}: ${row.right} of ${row.runs} right, ${row.missing} not made`);
    for (const { requirement, said, odd } of row.flips)
      console.log(
        `    ${requirement}: ${said}${odd
          .slice(0, 3)
          .map((each) => `\n      ${each}`)
          .join('')}`,
      );
  }
}
console.log(`at concurrency 1, 8 and 32, with another core busy, ${seconds()} s`);
process.exitCode = unfair === 0 ? 0 : 1;
