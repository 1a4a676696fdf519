// Measures the command as whole processes: wall time, CPU time (user and system, all threads) and peak
// memory, minimum and median of several repeats. Other built checkouts can be measured in turn with this one:
// `npm run bench -- --repeats 7 ../before`. CPU time and ratios mean more than wall time on a busy machine.
import { spawn, spawnSync } from 'node:child_process';
import { Agent, request } from 'node:http';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const here = dirname(dirname(fileURLToPath(import.meta.url)));
const { values, positionals } = parseArgs({
  options: { repeats: { type: 'string', default: '5' } },
  allowPositionals: true,
});
const repeats = Number(values.repeats);
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
function measure(checkout, args) {
  rmSync(usage, { force: true });
  const begun = performance.now();
  const ended = spawnSync(
    process.execPath,
    ['--import', preload, join(checkout, 'cli', 'bin.mjs'), ...args],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
      encoding: 'utf8',
    },
  );
  const wall = performance.now() - begun;
  if (ended.status !== 0)
    throw new Error(`${args[0]} in ${checkout} ended with ${ended.status}: ${ended.stderr}`);
  const { userCPUTime, systemCPUTime, maxRSS } = JSON.parse(readFileSync(usage, 'utf8'));
  return { wall, cpu: (userCPUTime + systemCPUTime) / 1000, rss: maxRSS / 1024 };
}

/** The reference gateway in a process of its own, every token at once; writes the config to judge it by. */
async function serve(config) {
  const gateway = spawn(
    process.execPath,
    [join(here, 'cli', 'bin.mjs'), 'gateway', '--port', '0', '--pace', '0'],
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

/** Milliseconds from a request for a stream to the first byte of its body, on a connection that is kept. */
function firstByte(url, agent) {
  const body = JSON.stringify({
    model: /^ {2}multimodal: "?([^"\n]*)/m.exec(readFileSync(config, 'utf8'))[1],
    messages: [{ role: 'user', content: 'Hello' }],
    stream: true,
  });
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    authorization: `Bearer ${process.env.GATEWAY_TOKEN_DEFAULT}`,
  };
  return new Promise((done, failed) => {
    const begun = performance.now();
    const asked = request(`${url}/v1/chat/completions`, { method: 'POST', headers, agent }, (reply) => {
      let first;
      reply.on('data', () => {
        first ??= performance.now() - begun;
      });
      reply.on('end', () => done(first));
    });
    asked.on('error', failed);
    asked.end(body);
  });
}

const at = (numbers, part) =>
  sorted(numbers)[Math.min(numbers.length - 1, Math.floor(part * numbers.length))];

/** What the proxy adds to the first byte: the same request in turn directly and through it. */
async function measureProxy(config) {
  const args = ['proxy', '--config', config, '--port', '0', '--out', join(work, 'live')];
  const proxy = spawn(process.execPath, [join(here, 'cli', 'bin.mjs'), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise((done, failed) => {
    let text = '';
    proxy.stdout.on('data', (piece) => {
      text += piece;
      const found = /Proxy at (\S+) for (\S+)\. /.exec(text);
      if (found) done(found[1]);
    });
    proxy.on('exit', (code) => failed(new Error(`the proxy ended with ${code}`)));
  });
  const direct = /baseUrl: (\S+)/.exec(readFileSync(config, 'utf8'))[1];
  const [straight, through] = [new Agent({ keepAlive: true }), new Agent({ keepAlive: true })];
  const times = { straight: [], through: [] };
  const rounds = 1_500;
  for (let round = 0; round < rounds; round += 1) {
    const [one, other] = [await firstByte(direct, straight), await firstByte(url, through)];
    // What is compiled while the first ones pass is no part of it.
    if (round < 200) continue;
    times.straight.push(one);
    times.through.push(other);
  }
  straight.destroy();
  through.destroy();
  proxy.removeAllListeners('exit');
  proxy.kill('SIGINT');
  const line = (part) => {
    const [one, other] = [at(times.straight, part), at(times.through, part)];
    return `p${part * 100} ${one.toFixed(2)} ms, with it ${other.toFixed(2)} ms: +${(other - one).toFixed(2)} ms`;
  };
  console.log(`proxy, first byte of ${times.straight.length} streams: ${line(0.5)}; ${line(0.99)}`);
  await new Promise((done) => proxy.on('exit', done));
}

const config = join(work, 'gateway-conformance.yaml');
const gateway = await serve(config);
try {
  // Of this suite's own evidence: `judge` of another release would refuse it.
  const outOf = (checkout) => join(work, `report-${checkouts.indexOf(checkout)}`);
  const commands = [
    ['run', (checkout) => ['run', '--config', config, '--quiet', '--seed', '1', '--out', outOf(checkout)]],
    ['judge', (checkout) => ['judge', outOf(checkout)]],
    ['plan', () => ['plan', '--config', config, '--seed', '1']],
    ['--version', () => ['--version']],
  ];
  const rows = [['command', 'checkout', 'wall ms', 'CPU ms', 'peak MB']];
  for (const [name, args] of commands) {
    const samples = new Map(checkouts.map((checkout) => [checkout, []]));
    for (let repeat = 0; repeat < repeats; repeat += 1) {
      for (const checkout of checkouts) samples.get(checkout).push(measure(checkout, args(checkout)));
    }
    for (const checkout of checkouts) {
      const numbers = (of, key) => samples.get(of).map((sample) => sample[key]);
      const pick = (key) => cell(numbers(checkout, key), checkout === here ? null : numbers(here, key));
      rows.push([name, checkout === here ? 'this' : checkout, pick('wall'), pick('cpu'), pick('rss')]);
    }
  }
  console.log(`minimum / median of ${repeats}; node ${process.version}`);
  print(rows);
  await measureProxy(config);
} finally {
  gateway.removeAllListeners('exit');
  gateway.kill();
  rmSync(work, { recursive: true, force: true });
}
