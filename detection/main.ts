import { mkdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { packageFile } from '../spec/package-root.ts';
import { asksAllThatCanFail, defaultProfile, profiles } from '../suites/types/profile.ts';
import { detectionMatrix } from './matrix.ts';
import { figures, isFair, isSound, renderDetection } from './render.ts';

const { values } = parseArgs({ options: { profile: { type: 'string', default: defaultProfile } } });
const profile = profiles.find((name) => name === values.profile);
if (profile === undefined) throw new Error(`--profile must be one of ${profiles.join(', ')}`);
const isWhole = asksAllThatCanFail({ profile, skipCostly: false });

const started = performance.now();
let done = 0;
const matrix = await detectionMatrix({ profile }, () => {
  done += 1;
  if (done % 50 === 0) console.log(`${done} gateways judged`);
});
// The page that ships says what the default profile finds.
if (profile === defaultProfile) {
  mkdirSync(packageFile('docs'), { recursive: true });
  writeFileSync(packageFile('docs/detection.md'), renderDetection(matrix));
}
for (const line of figures(matrix)) console.log(line);
for (const row of matrix.faults) {
  const wrong = [
    ...(isWhole ? row.missed.map((id) => `not blamed: ${id}`) : []),
    ...row.collateral.map((id) => `wrongly blamed: ${id}`),
  ];
  if (wrong.length > 0) console.log(`${row.id}: ${wrong.join('; ')}`);
}
for (const row of matrix.variants) {
  if (row.verdict !== 'conformant')
    console.log(`${row.id}: ${row.verdict}; ${[...row.blamed, ...row.open].join(', ')}`);
}
const took = `${Math.round((performance.now() - started) / 1000)} s`;
console.log(
  profile === defaultProfile ? `docs/detection.md written, ${took}` : `profile ${profile}, ${took}`,
);
process.exitCode = (isWhole ? isSound(matrix) : isFair(matrix)) ? 0 : 1;
