// The step of action.yml: runs the command with the inputs, and gives the outputs. Inputs come by environment
// variables and go to the command as arguments: no shell reads them. Secrets are variables of the job.
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** @param {string} input */
const input = (input) => (process.env[`INPUT_${input}`] ?? '').trim();

/** Ends the step as a usage error. @param {string} text */
function refuse(text) {
  process.stderr.write(`gateway-conformance: ${text}\n`);
  process.exit(2);
}

/** An option with its value, where the input has one. @param {string} option @param {string} value */
const optional = (option, value) => (value === '' ? [] : [option, value]);

/** Gives an output of the step. @param {string} output @param {string} value */
function give(output, value) {
  const file = process.env.GITHUB_OUTPUT;
  const end = randomUUID();
  if (file) appendFileSync(file, `${output}<<${end}\n${value}\n${end}\n`);
}

const folder = resolve(input('WORKING_DIRECTORY') || '.');
if (!existsSync(folder)) refuse(`input working-directory: ${folder} does not exist`);
const out = resolve(folder, input('OUT') || 'conformance-report');
const args = [
  join(root, 'cli', 'bin.mjs'),
  'run',
  ...['--config', input('CONFIG') || 'gateway-conformance.yaml'],
  ...['--out', out],
  ...optional('--profile', input('PROFILE')),
  ...optional('--baseline', input('BASELINE')),
  ...optional('--pins', input('PINS')),
  ...optional('--fail-on', input('FAIL_ON')),
  '--quiet',
  ...input('ARGS')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== ''),
];
const { status, error } = spawnSync(process.execPath, args, { cwd: folder, stdio: 'inherit' });
if (error) refuse(`${process.execPath} can't be started (${error.message})`);
const code = status ?? 3;

give('exit-code', String(code));
const report = join(out, 'report.json');
// After a usage error, what lies there is of another run.
if (code !== 2 && existsSync(report)) {
  const { verdict, causes } = JSON.parse(readFileSync(report, 'utf8'));
  give('verdict', verdict);
  give('causes', JSON.stringify(causes.map(({ id, kind, summary }) => ({ id, kind, summary }))));
  give('report', out);
}
process.exit(code);
