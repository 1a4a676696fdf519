import { mkdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { packageFile } from '../spec/package-root.ts';
import { asksAllThatCanFail, defaultProfile, profiles } from '../suites/types/profile.ts';
import { detectionMatrix, figures, isFair, isSound, renderDetection, wrongRows } from './matrix.ts';
import { measure } from './measured.ts';
import { measuredFigures, renderMeasured } from './render-measured.ts';

const { values } = parseArgs({
  options: {
    profile: { type: 'string', default: defaultProfile },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    fresh: { type: 'string', default: '300' },
    'only-fresh': { type: 'boolean', default: false },
    'at-once': { type: 'string', default: '4' },
  },
});
const profile = profiles.find((name) => name === values.profile);
if (profile === undefined) throw new Error(`--profile must be one of ${profiles.join(', ')}`);

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
  const isWhole = asksAllThatCanFail({ profile: profile ?? defaultProfile, skipCostly: false });
  const matrix = await detectionMatrix({ profile: profile ?? defaultProfile }, onRow);
  for (const line of [...figures(matrix), ...wrongRows(matrix, isWhole)]) console.log(line);
  // The page that ships says what the default profile finds.
  if (profile === defaultProfile) writePage('detection-regression.md', renderDetection(matrix));
  return isWhole ? isSound(matrix) : isFair(matrix);
}

/** Judges drawn gateways; whether no conformant one fails. */
async function fresh(): Promise<boolean> {
  const [seed, count] = [Number(values.seed), Number(values.fresh)];
  const measured = await measure(seed, count, Number(values['at-once']), onRow);
  for (const line of measuredFigures(measured)) console.log(line);
  writePage('detection.md', renderMeasured(measured));
  return measured.conformant.every(({ blamed }) => blamed.length === 0);
}

const holds = [
  ...(values['only-fresh'] ? [] : [await regression()]),
  ...(profile === defaultProfile && Number(values.fresh) > 0 ? [await fresh()] : []),
];
process.exitCode = holds.every(Boolean) ? 0 : 1;
