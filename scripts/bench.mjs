// Measures the command as whole processes: wall time, CPU time (user and system, all threads) and peak
// memory, minimum and median of several repeats. Other built checkouts can be measured in turn with this one:
// `npm run bench -- --repeats 7 ../before`. CPU time and ratios mean more than wall time on a busy machine.
// Then the wall time of this checkout against a slow gateway, over the least that it could be, and what a lock adds.
// `--only commands` leaves out the parts that are not named: commands, slow, locked, proxy, echo.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { printFirstByte } from './first-byte.mjs';

const here = dirname(dirname(fileURLToPath(import.meta.url)));
const { values, positionals } = parseArgs({
  options: { repeats: { type: 'string' }, only: { type: 'string', multiple: true } },
  allowPositionals: true,
});
const partNames = ['commands', 'slow', 'locked', 'proxy', 'echo'];
const wanted = values.only?.flatMap((names) => names.split(',')) ?? partNames;
for (const name of wanted) {
  if (partNames.includes(name)) continue;
  console.error(`--only ${name}: there is no such part; the parts are ${partNames.join(', ')}`);
  process.exit(2);
}
const repeats = Number(values.repeats ?? 5);
const checkouts = [here, ...positionals.map((folder) => resolve(folder))];
for (const checkout of checkouts) {
  if (existsSync(join(checkout, 'dist', '.built'))) continue;
  console.error(`${checkout}: has no build; \`npm run build\` there first`);
  process.exit(2);
}

const work = mkdtempSync(join(tmpdir(), 'conformance-bench-'));
const usage = join(work, 'usage.json');
const preload = join(work, 'usage.mjs');
writeFileSync(
  preload,
  `import { isMainThread } from 'node:worker_threads';
import { writeFileSync } from 'node:fs';
if (isMainThread) process.on('exit', () =>
  writeFileSync(${JSON.stringify(usage)}, JSON.stringify(process.resourceUsage())));`,
);

/** Runs a command to its end; milliseconds of wall and CPU time, and MB at the peak. */
async function measure(checkout, args) {
  rmSync(usage, { force: true });
  const begun = performance.now();
  const command = ['--import', preload, join(checkout, 'cli', 'bin.mjs'), ...args];
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (piece) => {
    said += piece;
  });
  const [status] = await once(child, 'close');
  const wall = performance.now() - begun;
  if (status !== 0) throw new Error(`${args[0]} in ${checkout} ended with ${status}: ${said}`);
  const { userCPUTime, systemCPUTime, maxRSS } = JSON.parse(readFileSync(usage, 'utf8'));
  return { wall, cpu: (userCPUTime + systemCPUTime) / 1000, rss: maxRSS / 1024 };
}

/** The reference gateway in a process of its own, every token at once, with so many models; writes the config to judge it by. */
async function serve(config, models = 1) {
  const gateway = spawn(
    process.execPath,
    [join(here, 'cli', 'bin.mjs'), 'gateway', '--port', '0', '--pace', '0', '--models', String(models)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const printed = await new Promise((done, failed) => {
    let text = '';
    gateway.stdout.on('data', (piece) => {
      text += piece;
      if (text.includes('# Try it:')) done(text);
    });
    gateway.on('exit', (code) => failed(new Error(`the reference gateway ended with ${code}`)));
  });
  writeFileSync(config, printed.slice(printed.indexOf('\ntarget:'), printed.indexOf('# Try it:')));
  for (const [, name, value] of printed.matchAll(/^export (\w+)='?([^'\n]*)'?$/gm)) process.env[name] = value;
  return gateway;
}

const sorted = (numbers) => numbers.toSorted((one, other) => one - other);
const minimum = (numbers) => sorted(numbers)[0];
const median = (numbers) => sorted(numbers)[Math.floor(numbers.length / 2)];

/** Minimum and median of a measure, and how the minimum stands to that of this checkout. */
function cell(samples, own) {
  const ratio = own === null ? '' : ` x${(minimum(samples) / minimum(own)).toFixed(2)}`;
  return `${minimum(samples).toFixed(0)} / ${median(samples).toFixed(0)}${ratio}`;
}

function print(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  for (const row of rows) {
    const cells = row.map((text, column) =>
      column < 2 ? text.padEnd(widths[column]) : text.padStart(widths[column]),
    );
    console.log(cells.join('  ').trimEnd());
  }
}

/** Prints what each command takes, in each checkout. */
async function printCommands(config, catalogues) {
  // Of this suite's own evidence: `judge` of another release would refuse it.
  const outOf = (checkout) => join(work, `report-${checkouts.indexOf(checkout)}`);
  const commands = [
    ['run', (checkout) => ['run', '--config', config, '--quiet', '--seed', '1', '--out', outOf(checkout)]],
    ['judge', (checkout) => ['judge', outOf(checkout)]],
    ['plan', () => ['plan', '--config', config, '--seed', '1']],
    ['--version', () => ['--version']],
    ...catalogues.map(({ models, config: own }) => [
      `run, ${models} models`,
      () => ['run', '--config', own, '--quiet', '--seed', '1', '--out', join(work, `models-${models}`)],
      [here],
    ]),
  ];
  const rows = [['command', 'checkout', 'wall ms', 'CPU ms', 'peak MB']];
  for (const [name, args, measured = checkouts] of commands) {
    const samples = new Map(measured.map((checkout) => [checkout, []]));
    for (let repeat = 0; repeat < repeats; repeat += 1) {
      for (const checkout of measured) samples.get(checkout).push(await measure(checkout, args(checkout)));
    }
    for (const checkout of measured) {
      const numbers = (of, key) => samples.get(of).map((sample) => sample[key]);
      const pick = (key) => cell(numbers(checkout, key), checkout === here ? null : numbers(here, key));
      rows.push([name, checkout === here ? 'this' : checkout, pick('wall'), pick('cpu'), pick('rss')]);
    }
  }
  console.log(`minimum / median of ${repeats}; node ${process.version}`);
  print(rows);
}

/** One run of this checkout against a slow gateway, as a row: wall time, its bound, and how it stands to it. */
async function slowRow(made, { boundOf }, { what, isSlow, ms, concurrency, goal }) {
  const { configYaml, createGateway, defaultConsole, everything, planRun, targetFor } = made;
  const settings = defaultConsole();
  const reply = (given) => (isSlow(given) ? { ...given, waitMs: given.waitMs + ms } : given);
  const gateway = await createGateway({ console: settings, hooks: { reply } }).listen();
  try {
    const depth = { profile: 'standard', skipCostly: false, explore: 0 };
    const plan = planRun(targetFor(settings, gateway.url), { seed: 1, selection: everything, ...depth });
    const [slow, out] = [join(work, 'slow.yaml'), mkdtempSync(join(work, 'slow-'))];
    writeFileSync(slow, configYaml(settings, gateway.url));
    const options = ['--quiet', '--seed', '1', '--concurrency', `${concurrency}`, '--out', out];
    const { wall } = await measure(here, ['run', '--config', slow, ...options]);
    const bound = boundOf(plan, out, concurrency);
    const seconds = (time) => (time / 1000).toFixed(1);
    return [
      what,
      `${concurrency}`,
      seconds(wall),
      seconds(bound),
      (wall / bound).toFixed(2),
      goal.toFixed(2),
    ];
  } finally {
    await gateway.close();
  }
}

/** Prints how runs of this checkout stand to their bounds. */
async function printSlowRuns() {
  const slow = await import('./slow-run.mjs');
  const made = await import('../dist/tools/scripts/internals.js');
  const rows = [['slow', 'at once', 'wall s', 'bound s', 'ratio', 'goal']];
  for (const one of slow.slowRuns) rows.push(await slowRow(made, slow, one));
  console.log(
    '\n`run` against a gateway that is slow with all replies, or with answers alone; the bound is the longest',
  );
  console.log(
    'of the longest chain of requests, the sum of service times through the concurrency, and the lane of',
  );
  console.log('refused logins, at most four between two valid requests');
  print(rows);
}

const config = join(work, 'gateway-conformance.yaml');
/** Catalogues of more models than one for each family; of this checkout only, for another may not know lists. */
const catalogues = [16, 256].map((models) => ({ models, config: join(work, `models-${models}.yaml`) }));
const gateways = [await serve(config)];
try {
  if (wanted.includes('commands')) {
    for (const catalogue of catalogues) gateways.push(await serve(catalogue.config, catalogue.models));
    await printCommands(config, catalogues);
  }
  if (wanted.includes('slow')) await printSlowRuns();
  if (wanted.includes('locked')) {
    const { printLockedRun } = await import('./locked-run.mjs');
    await printLockedRun({ here, work, measure, print });
  }
  if (wanted.includes('echo')) {
    const { printEchoRuns } = await import('./echo-run.mjs');
    // Twelve runs, each of several seconds of CPU.
    await printEchoRuns({ here, work, measure, repeats: Number(values.repeats ?? 1) });
  }
  if (wanted.includes('proxy')) await printFirstByte({ here, work, config });
} finally {
  for (const gateway of gateways) {
    gateway.removeAllListeners('exit');
    gateway.kill();
  }
  rmSync(work, { recursive: true, force: true });
}
