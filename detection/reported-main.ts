import { writeFileSync } from 'node:fs';
import { Option } from 'commander';
import { reportedBugs } from '../fixtures/faults/reported/index.ts';
import { type Half, halves } from '../fixtures/faults/reported/report.ts';
import { reportedVariants } from '../fixtures/variants/reported/index.ts';
import { packageFile } from '../spec/package-root.ts';
import { judgeReported } from './reported.ts';
import { figuresOf, renderReported } from './reported-render.ts';
import { tool } from './tool.ts';

interface Options {
  readonly half?: Half;
  readonly only?: 'bugs' | 'behaviours';
}

const { half, only } = tool(
  'reported',
  'Judges the bugs and the behaviours that people reported of real gateways.',
)
  .addOption(new Option('--half <name>', 'one half of them alone').choices(halves))
  .addOption(new Option('--only <what>', 'one of the two alone').choices(['bugs', 'behaviours']))
  .parse()
  .opts<Options>();
const asked = half === undefined ? halves : [half];

const started = performance.now();
let done = 0;
const rows = await judgeReported(
  only === 'behaviours' ? [] : reportedBugs,
  only === 'bugs' ? [] : reportedVariants,
  asked,
  () => {
    done += 1;
    if (done % 50 === 0) console.log(`${done} gateways judged`);
  },
);
for (const line of figuresOf(rows)) console.log(line);
// What is missed of the measured half is said to nobody: it is a measure as long as nobody works on it.
for (const { bug, caught, collateral } of rows.bugs.filter((row) => row.bug.half === 'open')) {
  if (!caught) console.log(`missed: ${bug.source}: ${bug.said}`);
  if (collateral.length > 0) console.log(`${bug.source}: wrongly blamed: ${collateral.join(', ')}`);
}
const failed = rows.behaviours.filter((row) => row.blamed.length > 0);
for (const { variant, blamed } of failed) console.log(`${variant.source}: failed: ${blamed.join(', ')}`);
const isWhole = asked.length === halves.length && only === undefined;
if (isWhole) writeFileSync(packageFile('docs/reported-bugs.md'), renderReported(rows));
const took = `${Math.round((performance.now() - started) / 1000)} s`;
console.log(isWhole ? `docs/reported-bugs.md written, ${took}` : took);
process.exitCode = failed.length === 0 ? 0 : 1;
