import { mkdirSync, writeFileSync } from 'node:fs';
import { packageFile } from '../spec/package-root.ts';
import { detectionMatrix } from './matrix.ts';
import { figures, isSound, renderDetection } from './render.ts';

const started = performance.now();
let done = 0;
const matrix = await detectionMatrix(() => {
  done += 1;
  if (done % 50 === 0) console.log(`${done} gateways judged`);
});
mkdirSync(packageFile('docs'), { recursive: true });
writeFileSync(packageFile('docs/detection.md'), renderDetection(matrix));
for (const line of figures(matrix)) console.log(line);
for (const row of matrix.faults) {
  const wrong = [
    ...row.missed.map((id) => `not blamed: ${id}`),
    ...row.collateral.map((id) => `wrongly blamed: ${id}`),
  ];
  if (wrong.length > 0) console.log(`${row.id}: ${wrong.join('; ')}`);
}
for (const row of matrix.variants) {
  if (row.verdict !== 'conformant')
    console.log(`${row.id}: ${row.verdict}; ${[...row.blamed, ...row.open].join(', ')}`);
}
console.log(`docs/detection.md written, ${Math.round((performance.now() - started) / 1000)} s`);
process.exitCode = isSound(matrix) ? 0 : 1;
