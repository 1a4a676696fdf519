// Makes the pictures of the README: `npm start` in a terminal, and the first screen of a report, light and dark.
// Needs `script` of Debian's bsdutils, and a Chromium (another one is named in CHROMIUM).
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import {
  configYaml,
  createGateway,
  defaultConsole,
  faultById,
  run,
  targetFor,
} from '../dist/tools/scripts/internals.js';
import { terminalSvg } from './terminal-svg.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const pictures = join(root, 'docs', 'pictures');
const columns = 100;
/** The faults of the gateway in the screenshots: a field is missing; no token, and a value out of range, are taken. */
const broken = ['chat.result.usage.missing', 'responses.auth.missing', 'chat.param.temperature.range.above'];

/** Seconds that nothing happens at most: nobody waits for a picture. */
const longestPause = 0.8;
/** In place of the folder of this checkout, which is nobody's business. */
const shownRoot = '~/inference-gateway-conformance';

/** What `npm start` prints in a terminal, each piece with its seconds from the start. */
function recorded() {
  return new Promise((resolve, reject) => {
    const { FORCE_COLOR: _force, NO_COLOR: _no, ...env } = process.env;
    const child = spawn('script', ['-qec', `stty cols ${columns} rows 40; npm start`, '/dev/null'], {
      cwd: root,
      env: { ...env, TERM: 'xterm-256color', npm_config_progress: 'false', npm_config_loglevel: 'error' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const chunks = [{ seconds: 0, text: '\u001b[2m$\u001b[22m npm start\r\n' }];
    let [seconds, last] = [0, performance.now()];
    child.stdout.setEncoding('utf8');
    child.stdout.on('data', (text) => {
      const now = performance.now();
      seconds += Math.min(longestPause, (now - last) / 1000);
      last = now;
      chunks.push({ seconds, text: text.replaceAll(root, shownRoot) });
    });
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0 ? resolve(chunks) : reject(new Error(`npm start ended with ${code}`)),
    );
  });
}

/** Judges a gateway that breaks a few things; gives the path of the HTML report. */
async function brokenReport(folder) {
  const faults = broken.map(faultById);
  const hooks = Object.assign({}, ...faults.map(({ hooks: each }) => each));
  const console = { ...defaultConsole(), pace: { initialMs: 0, tokenMs: 6 } };
  const gateway = await createGateway({ console, hooks }).listen();
  const config = join(folder, 'gateway.yaml');
  writeFileSync(config, configYaml(console, gateway.url).replace('Reference gateway', 'Acme gateway 2.3'));
  const tokens = Object.values(targetFor(console, gateway.url).tokens);
  const env = Object.fromEntries(tokens.map(({ variable, value }) => [variable, value]));
  try {
    const { report, dir } = await run(config, { out: join(folder, 'report'), allure: false, env });
    if (report.summary.fail !== broken.length)
      throw new Error(`${report.summary.fail} failures in place of ${broken.length}`);
    return join(dir, 'report.html');
  } finally {
    await gateway.close();
  }
}

async function photograph(file) {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
  try {
    for (const colorScheme of ['light', 'dark']) {
      const page = await browser.newPage({ viewport: { width: 1160, height: 860 }, colorScheme });
      await page.goto(pathToFileURL(file).href);
      await page.screenshot({ path: join(pictures, `report-${colorScheme}.png`) });
    }
  } finally {
    await browser.close();
  }
}

const title = 'npm start in a terminal: the reference gateway is judged, and is conformant';
writeFileSync(join(pictures, 'npm-start.svg'), terminalSvg(await recorded(), { columns, title }));
const folder = mkdtempSync(join(tmpdir(), 'conformance-pictures-'));
try {
  await photograph(await brokenReport(folder));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
for (const name of ['npm-start.svg', 'report-light.png', 'report-dark.png'])
  console.log(`docs/pictures/${name}: ${Math.ceil(readFileSync(join(pictures, name)).length / 1000)} kB`);
