// Judges gateways that install from npm, each in front of the reference gateway, all on loopback:
// `node examples/run.mjs NAME…|all`; with --update the committed report is written again, with --serve the gateway
// only runs, to be asked by hand, for half an hour or until Ctrl-C; with --results DIR its bundle is put into a list of results.
import { spawn } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const here = import.meta.dirname;
const command = join(here, '..', 'cli', 'bin.mjs');
const limits = { install: 300, start: 60, run: 900, serve: 1800 };
const out = 'conformance-report';
const exitCodes = { usage: 2, notJudged: 3 };
const names = readdirSync(here).filter((name) => existsSync(join(here, name, 'start.mjs')));

/** The tokens of the reference gateway's own console: for demonstration only. */
const tokens = {
  GATEWAY_TOKEN_DEFAULT: 'demo-default-7f3a91c2d4e85b60',
  GATEWAY_TOKEN_CODING_TOOL: 'demo-coding-tool-2b8e6f04a1d793c5',
  GATEWAY_TOKEN_THIRD_PARTY_CLIENT: 'demo-third-party-client-c05d9e7713fa486b',
  GATEWAY_TOKEN_RATE_LIMITED: 'demo-rate-limited-e41b70a95c2f683d',
};

const started = new Set();
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));
process.once('exit', () => {
  for (const child of started) child.kill();
});

function start(file, args, options = {}) {
  const child = spawn(file, args, options);
  started.add(child);
  const ended = new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      started.delete(child);
      resolve(code ?? 1);
    });
  });
  return { child, ended };
}

/** Runs a command to its end, or to its limit in seconds; its exit code. */
async function finish(file, args, seconds, options) {
  const { child, ended } = start(file, args, { stdio: 'inherit', ...options });
  const timer = setTimeout(() => child.kill(), seconds * 1000);
  return ended.finally(() => clearTimeout(timer));
}

function freePort() {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

const isListening = (port) =>
  new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

/** Starts a server, and waits until it listens on its port. */
async function serve(what, port, args, options) {
  const { child } = start(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'], ...options });
  const until = Date.now() + limits.start * 1000;
  while (!(await isListening(port))) {
    if (child.exitCode !== null) throw new Error(`${what} ended at once, with exit code ${child.exitCode}`);
    if (Date.now() > until) throw new Error(`${what} did not listen within ${limits.start} s`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return child;
}

/** Keeps the report in the folder of the example, with what the run printed. */
function keep(folder, printed) {
  for (const file of ['report.md', 'badge.svg']) copyFileSync(join(folder, out, file), join(folder, file));
  const lines = printed.split('\n').map((line) => line.replace(`${folder}/`, '').trimEnd());
  writeFileSync(join(folder, 'summary.txt'), `${lines.join('\n').trim()}\n`);
}

const readJson = (...path) => JSON.parse(readFileSync(join(...path), 'utf8'));

/** Puts the bundle into a list of results. Its README lacks the consent, which only the owner of the product can give. */
function putInto(list, name) {
  const folder = join(here, name);
  const [release] = Object.values(readJson(folder, 'package.json').dependencies);
  const { suite, target } = readJson(folder, out, 'report.json');
  const place = join(list, suite.statements, name, release);
  rmSync(place, { recursive: true, force: true });
  mkdirSync(place, { recursive: true });
  cpSync(join(folder, out), join(place, 'bundle'), { recursive: true });
  const expires = new Date(Date.now() + 90 * 24 * 3600 * 1000).toISOString().slice(0, 10);
  writeFileSync(
    join(place, 'README.md'),
    `# ${target.name}\n\nExpires: ${expires}\n\n## How to reproduce\n\n\`node examples/run.mjs ${name}\`\n`,
  );
}

/** Runs the suite in the folder, so that no report names a path of this machine. */
async function judge(name, env, { update, results }) {
  const folder = join(here, name);
  const baseline = 'gateway-conformance.baseline.yaml';
  const expected = existsSync(join(folder, baseline)) ? ['--baseline', baseline] : [];
  const shown = results ? ['--no-allure'] : [];
  const args = [command, 'run', ...expected, ...shown, '--out', out, '--quiet', '--no-color'];
  const options = { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] };
  const { child, ended } = start(process.execPath, args, options);
  const timer = setTimeout(() => child.kill(), limits.run * 1000);
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    printed += text;
    process.stdout.write(text);
  });
  const code = await ended.finally(() => clearTimeout(timer));
  if (update && code !== exitCodes.notJudged) keep(folder, printed);
  if (results && code !== exitCodes.notJudged) putInto(results, name);
  return code;
}

async function example(name, values) {
  const folder = join(here, name);
  const npm = ['install', '--prefix', folder, '--ignore-scripts', '--loglevel', 'error'];
  const installed = await finish('npm', npm, limits.install, { shell: process.platform === 'win32' });
  if (installed !== 0) throw new Error(`npm install for ${name} failed`);
  const [upstreamPort, port, gatewayPort] = [await freePort(), await freePort(), await freePort()];
  const [upstreamUrl, url] = [`http://127.0.0.1:${upstreamPort}`, `http://127.0.0.1:${port}`];
  const env = { ...process.env, ...tokens, GATEWAY_URL: url, UPSTREAM_URL: upstreamUrl };
  const ports = { PORT: String(port), GATEWAY_PORT: String(gatewayPort) };
  // A pace at which it can be told whether a stream is passed on as it is made.
  const reference = [command, 'gateway', '--port', `${upstreamPort}`, '--pace', '10'];
  const upstream = await serve('the upstream', upstreamPort, reference);
  const options = { cwd: folder, env: { ...env, ...ports } };
  const gateway = await serve(name, port, [join(folder, 'start.mjs')], options);
  try {
    if (!values.serve) return await judge(name, env, values);
    console.log(`${name} at ${url}, its upstream at ${upstreamUrl}; the tokens:`);
    for (const [variable, value] of Object.entries(tokens)) console.log(`export ${variable}=${value}`);
    await new Promise((resolve) => setTimeout(resolve, limits.serve * 1000));
    return 0;
  } finally {
    gateway.kill();
    upstream.kill();
  }
}

/** What is asked for; undefined where that can't be read. */
function asked() {
  try {
    const flags = { update: { type: 'boolean' }, serve: { type: 'boolean' }, results: { type: 'string' } };
    const { values, positionals } = parseArgs({ options: flags, allowPositionals: true });
    const chosen = positionals.includes('all') ? names : positionals;
    const isKnown = chosen.length > 0 && chosen.every((name) => names.includes(name));
    return isKnown && Object.keys(values).length < 2 ? { chosen, values } : undefined;
  } catch {
    return undefined;
  }
}

const wanted = asked();
if (wanted === undefined) {
  console.error(
    `usage: node examples/run.mjs NAME…|all [--update | --serve | --results DIR]; NAME is one of ${names.join(', ')}`,
  );
  process.exit(exitCodes.usage);
}
const codes = [];
for (const name of wanted.chosen) {
  console.log(`\n== ${name}`);
  try {
    codes.push(await example(name, wanted.values));
  } catch (error) {
    console.error(`error: ${error.message}`);
    codes.push(exitCodes.notJudged);
  }
}
process.exit(Math.max(...codes));
