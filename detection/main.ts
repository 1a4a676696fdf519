import { mkdirSync, writeFileSync } from 'node:fs';
import { Option } from 'commander';
import { wholeNumber } from '../cli/options/options.ts';
import { packageFile } from '../spec/package-root.ts';
import { asksAllThatCanFail, defaultProfile, type Profile, profiles } from '../suites/types/profile.ts';
import { detectionMatrix, figures, isFair, isSound, renderDetection, wrongRows } from './matrix.ts';
import { measure } from './measured.ts';
import { measuredFigures, renderMeasured } from './render-measured.ts';
import { tool } from './tool.ts';

interface Options {
  readonly profile: Profile;
  readonly seed: number;
  readonly fresh: number;
  readonly onlyFresh: boolean;
  readonly atOnce: number;
}

const { profile, seed, fresh, onlyFresh, atOnce } = tool(
  'detection',
  'Judges the known faults and variants, then gateways that are drawn at random, and writes docs/detection*.md.',
)
  .addOption(new Option('--profile <name>', 'what is asked').choices(profiles).default(defaultProfile))
  .option('--seed <number>', 'draws the gateways', wholeNumber(0, 999_999_999), Date.now() % 1_000_000_000)
  .option(
    '--fresh <number>',
    'gateways that are drawn, faulty and conformant ones each',
    wholeNumber(0, 10_000),
    300,
  )
  .option('--only-fresh', 'leave out the known faults and variants', false)
  .option('--at-once <number>', 'gateways that are judged at once', wholeNumber(1, 64), 4)
  .parse()
  .opts<Options>();

const started = performance.now();
let done = 0;
const onRow = (): void => {
  done += 1;
  if (done % 50 === 0) console.log(`${done} gateways judged`);
};

function writePage(name: string, page: string): void {
  mkdirSync(packageFile('docs'), { recursive: true });
  writeFileSync(packageFile(`docs/${name}`), page);
  console.log(`docs/${name} written, ${Math.round((performance.now() - started) / 1000)} s`);
}

/** Judges the list of known faults and variants; whether it holds. */
async function regression(): Promise<boolean> {
  const isWhole = asksAllThatCanFail({ profile, skipCostly: false });
  const matrix = await detectionMatrix({ profile }, onRow);
  for (const line of [...figures(matrix), ...wrongRows(matrix, isWhole)]) console.log(line);
  // The page that ships says what the default profile finds.
  if (profile === defaultProfile) writePage('detection-regression.md', renderDetection(matrix));
  return isWhole ? isSound(matrix) : isFair(matrix);
}

/** Judges drawn gateways; whether no conformant one fails. */
async function drawn(): Promise<boolean> {
  const measured = await measure(seed, fresh, atOnce, onRow);
  for (const line of measuredFigures(measured)) console.log(line);
  writePage('detection.md', renderMeasured(measured));
  return measured.conformant.every(({ blamed }) => blamed.length === 0);
}

const holds = [
  ...(onlyFresh ? [] : [await regression()]),
  ...(profile === defaultProfile && fresh > 0 ? [await drawn()] : []),
];
process.exitCode = holds.every(Boolean) ? 0 : 1;
